package dev.caisson.call;

import java.util.Locale;

/// How a caller wants to have the result of a call.
public enum Delivery {
    /// In the answer.
    INLINE,
    /// While it happens.
    STREAMING,
    /// Later: whoever wants it asks for it.
    ASYNC,
    /// Later, sent to an address the caller named.
    WEBHOOK;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}

package dev.caisson.call;

import java.util.Locale;

/// Reply mode: the way a caller wants to have the result of a call.
public enum ReplyMode {
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

package dev.caisson.policy;

import java.util.Locale;

/// Match of a rule, or of a condition of one, with a call.
public enum Match {
    YES,
    NO,
    /// Too little is known of the call.
    UNKNOWN,
    /// It takes more effort to find out than there is.
    TOO_MUCH;

    static Match of(boolean holds) {
        return holds ? YES : NO;
    }

    /// The word used on the wire, such as `too_much`.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}

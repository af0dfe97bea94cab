package dev.caisson.egress;

import java.io.IOException;

/// Failure of an outgoing request, in words for whoever set its address.
public final class EgressFailure extends IOException {
    private static final long serialVersionUID = 1L;

    /// What kind of failure it is.
    public enum Kind {
        /// The address may not be reached, or has none.
        REFUSED,
        UNREACHABLE,
        TIMED_OUT,
        /// More than the limit came.
        TOO_LARGE,
        /// What came is not HTTP, or broke off.
        BROKEN
    }

    private final Kind kind;
    private final boolean sent;

    public EgressFailure(Kind kind, boolean sent, String sentence) {
        super(sentence);
        this.kind = kind;
        this.sent = sent;
    }

    public Kind kind() {
        return kind;
    }

    /// Whether a byte of the request may have gone out. When it is false, nobody has seen it.
    public boolean sent() {
        return sent;
    }

    public String sentence() {
        return String.valueOf(getMessage());
    }
}

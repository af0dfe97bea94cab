package dev.caisson.upstream.connection;

import dev.caisson.call.ToolErrorType;

/// Failure of a request to an upstream, in words for whoever called.
public final class UpstreamFailure extends Exception {
    private static final long serialVersionUID = 1L;

    private final ToolErrorType type;
    private final boolean sent;

    public UpstreamFailure(ToolErrorType type, boolean sent, String sentence) {
        super(sentence, null, false, false);
        this.type = type;
        this.sent = sent;
    }

    public ToolErrorType type() {
        return type;
    }

    /// Whether a byte of the request may have gone out. When it is false, the upstream has seen
    /// nothing of it.
    public boolean sent() {
        return sent;
    }

    public String sentence() {
        return String.valueOf(getMessage());
    }
}

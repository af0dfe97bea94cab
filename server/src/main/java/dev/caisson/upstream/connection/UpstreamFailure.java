package dev.caisson.upstream.connection;

import dev.caisson.call.ToolErrorType;
import java.util.Optional;

/// Failure of a request to an upstream, in words for whoever called.
public final class UpstreamFailure extends Exception {
    private static final long serialVersionUID = 1L;

    private final ToolErrorType type;
    private final boolean sent;
    private final transient Optional<String> visit;

    public UpstreamFailure(ToolErrorType type, boolean sent, String sentence) {
        this(type, sent, sentence, Optional.empty());
    }

    private UpstreamFailure(
            ToolErrorType type, boolean sent, String sentence, Optional<String> visit) {
        super(sentence, null, false, false);
        this.type = type;
        this.sent = sent;
        this.visit = visit;
    }

    /// One that a person mends at a page of this server.
    public static UpstreamFailure visit(boolean sent, String sentence, String page) {
        return new UpstreamFailure(
                ToolErrorType.AUTHORIZATION_REQUIRED, sent, sentence, Optional.of(page));
    }

    /// The same in other words.
    public UpstreamFailure saying(String other) {
        return new UpstreamFailure(type, sent, other, visit);
    }

    /// The same of a request that never went out.
    public UpstreamFailure unsent() {
        return new UpstreamFailure(type, false, sentence(), visit);
    }

    /// The page at which a person mends it.
    public Optional<String> visit() {
        return visit;
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

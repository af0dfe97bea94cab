package dev.caisson.rpc;

import java.util.Optional;

/// Protocol error: a message that breaks the protocol itself, before it means anything. Like a
/// refusal it is the client's, and carries no stack trace.
public final class ProtocolError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient RpcError error;
    private final transient Optional<RequestId> id;

    public ProtocolError(RpcError error, Optional<RequestId> id) {
        super(error.message(), null, false, false);
        this.error = error;
        this.id = id;
    }

    public ProtocolError(int code, String message, int status) {
        this(RpcError.of(code, message, status), Optional.empty());
    }

    public RpcError error() {
        return error;
    }

    /// The id of the message, when it could be read.
    public Optional<RequestId> id() {
        return id;
    }
}

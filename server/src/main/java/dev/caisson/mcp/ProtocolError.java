package dev.caisson.mcp;

import java.util.Optional;

/// A message that breaks the protocol itself, before it means anything. Like a refusal it is the
/// client's, and carries no stack trace.
final class ProtocolError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient RpcError error;
    private final transient Optional<Id> id;

    ProtocolError(RpcError error, Optional<Id> id) {
        super(error.message(), null, false, false);
        this.error = error;
        this.id = id;
    }

    ProtocolError(int code, String message, int status) {
        this(RpcError.of(code, message, status), Optional.empty());
    }

    RpcError error() {
        return error;
    }

    /// The id of the message, when it could be read.
    Optional<Id> id() {
        return id;
    }
}

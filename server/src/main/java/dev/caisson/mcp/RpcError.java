package dev.caisson.mcp;

import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// An error as it goes out.
///
/// @param status of the HTTP answer that carries it, when nothing was streamed yet
record RpcError(int code, String message, Optional<ObjectNode> data, int status) {
    static final int PARSE_ERROR = -32700;
    static final int INVALID_REQUEST = -32600;
    static final int METHOD_NOT_FOUND = -32601;
    static final int INVALID_PARAMS = -32602;
    static final int INTERNAL_ERROR = -32603;
    static final int RESOURCE_NOT_FOUND = -32002;
    static final int HEADER_MISMATCH = -32020;
    static final int MISSING_CAPABILITY = -32021;
    static final int UNSUPPORTED_VERSION = -32022;

    static RpcError of(int code, String message, int status) {
        return new RpcError(code, message, Optional.empty(), status);
    }

    RpcError with(ObjectNode newData) {
        return new RpcError(code, message, Optional.of(newData), status);
    }
}

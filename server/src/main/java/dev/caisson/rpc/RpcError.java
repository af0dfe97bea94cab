package dev.caisson.rpc;

import java.time.Duration;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// An error as it goes out.
///
/// @param status of the HTTP answer that carries it, when nothing was streamed yet
public record RpcError(int code, String message, Optional<ObjectNode> data, int status) {
    static final int PARSE_ERROR = -32700;
    public static final int INVALID_REQUEST = -32600;
    public static final int METHOD_NOT_FOUND = -32601;
    public static final int INVALID_PARAMS = -32602;
    static final int INTERNAL_ERROR = -32603;

    /// After which a client may try again what failed by our fault.
    static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private static final String TRY_AGAIN =
            "Try again in " + RETRY_AFTER.toSeconds() + " s, and wait twice as long each time.";

    public static final int RESOURCE_NOT_FOUND = -32002;
    public static final int HEADER_MISMATCH = -32020;
    public static final int MISSING_CAPABILITY = -32021;
    public static final int UNSUPPORTED_VERSION = -32022;

    public static RpcError of(int code, String message, int status) {
        return new RpcError(code, message, Optional.empty(), status);
    }

    /// A fault of ours. Trying again may help, later each time.
    ///
    /// @param data what else a program can read about it
    public static RpcError internal(String message, ObjectNode data) {
        return of(INTERNAL_ERROR, message + " " + TRY_AGAIN, 200)
                .with(data.put("retryable", true).put("retry_after_ms", RETRY_AFTER.toMillis()));
    }

    public RpcError with(ObjectNode newData) {
        return new RpcError(code, message, Optional.of(newData), status);
    }
}

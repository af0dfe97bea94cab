package dev.caisson.mcp.server;

import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import dev.caisson.rpc.Revision;
import dev.caisson.rpc.RpcError;
import dev.caisson.telemetry.Faults;
import tools.jackson.databind.node.ObjectNode;

/// Codec of a revision: the frame of a result, and the code of an error.
public sealed interface Codec permits ModernCodec, LegacyCodec {
    /// Codes of our own. They stay outside of the range JSON-RPC and the protocol share.
    int UNAUTHORIZED = -31401;

    int FORBIDDEN = -31403;
    int TIMED_OUT = -31408;
    int CONFLICT = -31409;
    int TOO_LARGE = -31413;
    int NO_CAPACITY = -31429;
    int UPSTREAM = -31502;
    int UNAVAILABLE = -31503;

    Revision revision();

    /// A result that says all there is to say.
    ObjectNode complete(ObjectNode result);

    /// A complete result that a client may keep.
    ObjectNode cacheable(ObjectNode result, CacheHint hint);

    RpcError error(Refusal refusal);

    /// Our own fault, by its number in the log.
    default RpcError fault(String number) {
        return RpcError.internal(Faults.sentence(number), Json.object().put("fault", number));
    }

    /// What a program can read about a refusal.
    static ObjectNode details(Refusal refusal) {
        var details = (ObjectNode) Json.tree(refusal.details());
        refusal.givenType().ifPresent(type -> details.put("error", type.word()));
        details.put("status", refusal.reason().word());
        details.put("retryable", refusal.isRetryable());
        refusal.retryAfter().ifPresent(wait -> details.put("retry_after_ms", wait.toMillis()));
        return details;
    }
}

package dev.caisson.mcp.server;

import dev.caisson.call.Refusal;
import dev.caisson.rpc.Revision;
import dev.caisson.rpc.RpcError;
import tools.jackson.databind.node.ObjectNode;

/// Codec of the revisions up to 2025-11-25: a result is its body and nothing more.
public record LegacyCodec(Revision revision) implements Codec {
    @Override
    public ObjectNode complete(ObjectNode result) {
        return result;
    }

    @Override
    public ObjectNode cacheable(ObjectNode result, CacheHint hint) {
        return result;
    }

    @Override
    public RpcError error(Refusal refusal) {
        var code =
                switch (refusal.reason()) {
                    case MALFORMED,
                            INVALID_ARGUMENT,
                            UNKNOWN_TOOL,
                            UNKNOWN_PROMPT,
                            NOT_FOUND,
                            MISSING_CAPABILITY ->
                            RpcError.INVALID_PARAMS;
                    case UNKNOWN_RESOURCE -> RpcError.RESOURCE_NOT_FOUND;
                    case UNAUTHORIZED -> UNAUTHORIZED;
                    case FORBIDDEN, DENIED -> FORBIDDEN;
                    case TOO_LARGE -> TOO_LARGE;
                    case CONFLICT, CHANGED, LEFT, HANDOFF_REQUIRED, WAITING_APPROVAL -> CONFLICT;
                    case NO_CAPACITY, TOO_MANY_ATTEMPTS, QUOTA_EXCEEDED -> NO_CAPACITY;
                    case TIMED_OUT -> TIMED_OUT;
                    case UPSTREAM, OUTCOME_UNKNOWN -> UPSTREAM;
                    case UNAVAILABLE -> UNAVAILABLE;
                };
        return RpcError.of(code, refusal.sentence(), 200).with(Codec.details(refusal));
    }
}

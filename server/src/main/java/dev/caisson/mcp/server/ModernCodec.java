package dev.caisson.mcp.server;

import dev.caisson.call.ClientFeature;
import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import dev.caisson.mcp.ServerInfo;
import dev.caisson.rpc.MetaMember;
import dev.caisson.rpc.Revision;
import dev.caisson.rpc.RpcError;
import tools.jackson.databind.node.ObjectNode;

/// Codec of 2026-07-28.
///
/// @param server who we are, as JSON; one node for all results, never changed
public record ModernCodec(ObjectNode server) implements Codec {
    public ModernCodec(ServerInfo info) {
        this(info.json());
    }

    @Override
    public Revision revision() {
        return Revision.R2026_07_28;
    }

    @Override
    public ObjectNode complete(ObjectNode result) {
        return typed("complete", result);
    }

    /// A result of the given type, signed with who we are.
    ObjectNode typed(String type, ObjectNode result) {
        result.put("resultType", type);
        result.withObjectProperty("_meta").set(MetaMember.SERVER_INFO, server);
        return result;
    }

    @Override
    public ObjectNode cacheable(ObjectNode result, CacheHint hint) {
        return complete(result.put("ttlMs", hint.millis()).put("cacheScope", hint.scope()));
    }

    @Override
    public RpcError error(Refusal refusal) {
        return switch (refusal.reason()) {
            case MALFORMED,
                    INVALID_ARGUMENT,
                    UNKNOWN_TOOL,
                    UNKNOWN_RESOURCE,
                    UNKNOWN_PROMPT,
                    NOT_FOUND ->
                    error(RpcError.INVALID_PARAMS, refusal);
            case UNAUTHORIZED -> error(UNAUTHORIZED, refusal);
            case FORBIDDEN, DENIED -> error(FORBIDDEN, refusal);
            case TOO_LARGE -> error(TOO_LARGE, refusal);
            case MISSING_CAPABILITY -> missing(refusal);
            case CONFLICT, CHANGED, LEFT, HANDOFF_REQUIRED, WAITING_APPROVAL ->
                    error(CONFLICT, refusal);
            case NO_CAPACITY, TOO_MANY_ATTEMPTS, QUOTA_EXCEEDED -> error(NO_CAPACITY, refusal);
            case TIMED_OUT -> error(TIMED_OUT, refusal);
            case UPSTREAM, OUTCOME_UNKNOWN -> error(UPSTREAM, refusal);
            case UNAVAILABLE -> error(UNAVAILABLE, refusal);
        };
    }

    private static RpcError error(int code, Refusal refusal) {
        return RpcError.of(code, refusal.sentence(), 200).with(Codec.details(refusal));
    }

    private static RpcError missing(Refusal refusal) {
        var feature = ClientFeature.valueOf(String.valueOf(refusal.details().get("feature")));
        var data = Json.object();
        data.set("requiredCapabilities", ClientCapabilities.declaring(feature));
        return RpcError.of(RpcError.MISSING_CAPABILITY, refusal.sentence(), 400).with(data);
    }
}

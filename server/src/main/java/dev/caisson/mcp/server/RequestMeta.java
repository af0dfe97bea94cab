package dev.caisson.mcp.server;

import dev.caisson.call.ClientFeature;
import dev.caisson.call.LogLevel;
import dev.caisson.call.TraceContext;
import dev.caisson.rpc.MetaMember;
import dev.caisson.rpc.Params;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Metadata of a request, from its `_meta`.
///
/// @param features only a modern request declares them here
/// @param level only a modern request asks for messages here
/// @param trace closer to whoever called than the header of a connection that others may share
public record RequestMeta(
        Set<ClientFeature> features,
        Optional<LogLevel> level,
        Optional<JsonNode> progressToken,
        Optional<TraceContext> trace) {
    private static final RequestMeta NOTHING =
            new RequestMeta(Set.of(), Optional.empty(), Optional.empty(), Optional.empty());

    /// The revision a request names in its own body, if it does.
    public static Optional<JsonNode> version(ObjectNode params) {
        return Optional.ofNullable(params.path("_meta").get(MetaMember.VERSION));
    }

    public static RequestMeta legacy(ObjectNode params) {
        return Params.of(params)
                .optionalObject("_meta")
                .map(meta ->
                        new RequestMeta(
                                Set.of(),
                                Optional.empty(),
                                meta.optionalToken(MetaMember.PROGRESS),
                                trace(meta)))
                .orElse(NOTHING);
    }

    /// @throws dev.caisson.call.Refusal MALFORMED when something required is missing
    public static RequestMeta modern(ObjectNode params) {
        var meta = Params.of(params).object("_meta");
        meta.string(MetaMember.VERSION);
        meta.optionalObject(MetaMember.CLIENT_INFO);
        return new RequestMeta(
                ClientCapabilities.read(meta.object(MetaMember.CAPABILITIES)),
                level(meta),
                meta.optionalToken(MetaMember.PROGRESS),
                trace(meta));
    }

    /// One that is not valid counts as none: a trace is no reason to refuse a call.
    private static Optional<TraceContext> trace(Params meta) {
        return TraceContext.ofTraceparent(meta.node().path(MetaMember.TRACE).asString(""));
    }

    private static Optional<LogLevel> level(Params meta) {
        return meta.optionalString(MetaMember.LOG_LEVEL)
                .map(word ->
                        LogLevel.of(word)
                                .orElseThrow(() ->
                                        meta.wrong(MetaMember.LOG_LEVEL, "is no level: " + word)));
    }
}

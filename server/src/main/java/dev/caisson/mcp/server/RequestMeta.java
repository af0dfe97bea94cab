package dev.caisson.mcp.server;

import dev.caisson.call.ClientFeature;
import dev.caisson.call.LogLevel;
import dev.caisson.call.TraceContext;
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
    static final String PREFIX = "io.modelcontextprotocol/";
    public static final String VERSION = PREFIX + "protocolVersion";
    public static final String CAPABILITIES = PREFIX + "clientCapabilities";
    static final String CLIENT_INFO = PREFIX + "clientInfo";
    static final String LOG_LEVEL = PREFIX + "logLevel";
    static final String SERVER_INFO = PREFIX + "serverInfo";
    static final String SUBSCRIPTION = PREFIX + "subscriptionId";

    private static final RequestMeta NOTHING =
            new RequestMeta(Set.of(), Optional.empty(), Optional.empty(), Optional.empty());

    /// The revision a request names in its own body, if it does.
    public static Optional<JsonNode> version(ObjectNode params) {
        return Optional.ofNullable(params.path("_meta").get(VERSION));
    }

    public static RequestMeta legacy(ObjectNode params) {
        return Params.of(params)
                .optionalObject("_meta")
                .map(meta ->
                        new RequestMeta(
                                Set.of(),
                                Optional.empty(),
                                meta.optionalToken("progressToken"),
                                trace(meta)))
                .orElse(NOTHING);
    }

    /// @throws dev.caisson.call.Refusal MALFORMED when something required is missing
    public static RequestMeta modern(ObjectNode params) {
        var meta = Params.of(params).object("_meta");
        meta.string(VERSION);
        meta.optionalObject(CLIENT_INFO);
        return new RequestMeta(
                ClientCapabilities.read(meta.object(CAPABILITIES)),
                level(meta),
                meta.optionalToken("progressToken"),
                trace(meta));
    }

    /// One that is not valid counts as none: a trace is no reason to refuse a call.
    private static Optional<TraceContext> trace(Params meta) {
        return TraceContext.ofTraceparent(meta.node().path("traceparent").asString(""));
    }

    private static Optional<LogLevel> level(Params meta) {
        return meta.optionalString(LOG_LEVEL)
                .map(word ->
                        LogLevel.of(word)
                                .orElseThrow(() -> meta.wrong(LOG_LEVEL, "is no level: " + word)));
    }
}

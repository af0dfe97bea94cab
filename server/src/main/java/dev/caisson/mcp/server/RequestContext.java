package dev.caisson.mcp.server;

import dev.caisson.call.Caller;
import dev.caisson.call.ClientFeature;
import dev.caisson.call.Door;
import dev.caisson.call.LogLevel;
import dev.caisson.call.TraceContext;
import dev.caisson.mcp.legacy.ConnectedClient;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// Context of one request: caller, door, revision and abilities of its client.
///
/// @param trace what the request says about it in `_meta`, else what carried it says
/// @param level what the client wants to hear of, if anything
/// @param peer the other end when it has a life beyond this request
/// @param work what stops the request
public record RequestContext(
        Door door,
        Caller caller,
        TraceContext trace,
        Codec codec,
        Set<ClientFeature> features,
        Optional<LogLevel> level,
        Optional<JsonNode> progressToken,
        MessageSink outlet,
        Optional<ConnectedClient> peer,
        Cancellation work) {
    public static RequestContext modern(
            Door door,
            Caller caller,
            TraceContext trace,
            ModernCodec codec,
            RequestMeta meta,
            MessageSink outlet) {
        return new RequestContext(
                door,
                caller,
                meta.trace().orElse(trace),
                codec,
                meta.features(),
                meta.level(),
                meta.progressToken(),
                outlet,
                Optional.empty(),
                new Cancellation());
    }

    public static RequestContext legacy(
            Door door,
            Caller caller,
            TraceContext trace,
            ConnectedClient peer,
            RequestMeta meta,
            MessageSink outlet) {
        return new RequestContext(
                door,
                caller,
                meta.trace().orElse(trace),
                new LegacyCodec(peer.revision()),
                peer.features(),
                Optional.of(peer.level()),
                meta.progressToken(),
                outlet,
                Optional.of(peer),
                new Cancellation());
    }

    /// The same, stopped by this.
    RequestContext stoppedBy(Cancellation cancellation) {
        return new RequestContext(
                door,
                caller,
                trace,
                codec,
                features,
                level,
                progressToken,
                outlet,
                peer,
                cancellation);
    }
}

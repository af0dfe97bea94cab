package dev.caisson.mcp;

import dev.caisson.broker.ClientFeature;
import dev.caisson.broker.LogLevel;
import dev.caisson.call.Caller;
import dev.caisson.call.Door;
import dev.caisson.call.TraceContext;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// Everything known about whoever sent one request.
///
/// @param trace what the request says about it in `_meta`, else what carried it says
/// @param level what the client wants to hear of, if anything
/// @param peer the other end when it has a life beyond this request
record Context(
        Door door,
        Caller caller,
        TraceContext trace,
        Codec codec,
        Set<ClientFeature> features,
        Optional<LogLevel> level,
        Optional<JsonNode> progressToken,
        Outlet outlet,
        Optional<Peer> peer) {
    static Context modern(
            Door door,
            Caller caller,
            TraceContext trace,
            ModernCodec codec,
            RequestMeta meta,
            Outlet outlet) {
        return new Context(
                door,
                caller,
                meta.trace().orElse(trace),
                codec,
                meta.features(),
                meta.level(),
                meta.progressToken(),
                outlet,
                Optional.empty());
    }

    static Context legacy(
            Door door,
            Caller caller,
            TraceContext trace,
            Peer peer,
            RequestMeta meta,
            Outlet outlet) {
        return new Context(
                door,
                caller,
                meta.trace().orElse(trace),
                new LegacyCodec(peer.revision()),
                peer.features(),
                Optional.of(peer.level()),
                meta.progressToken(),
                outlet,
                Optional.of(peer));
    }
}

package dev.caisson.upstream;

import dev.caisson.upstream.connection.LinkState;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/// Upstream as an operator sees it.
///
/// @param tools how many there are in each state
/// @param listed when its tools were listed last by this server
/// @param trouble what is wrong with it, and the remedy
public record UpstreamView(
        StoredUpstream stored,
        UpstreamSettings settings,
        LinkState stage,
        Map<ToolState, Integer> tools,
        Optional<Instant> listed,
        Optional<String> trouble) {
    public UpstreamView {
        tools = Map.copyOf(tools);
    }
}

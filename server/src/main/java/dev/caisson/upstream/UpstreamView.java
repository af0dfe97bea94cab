package dev.caisson.upstream;

import dev.caisson.upstream.connection.Era;
import dev.caisson.upstream.connection.LinkState;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/// Upstream as an operator sees it.
///
/// @param tools how many there are in each state
/// @param listed when its tools were listed last, also in vain
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

    static UpstreamView of(
            StoredUpstream stored,
            UpstreamSettings settings,
            StoredUpstream.Noted seen,
            Collection<ReviewedTool> tools) {
        var counts = new EnumMap<ToolState, Integer>(ToolState.class);
        tools.forEach(tool -> counts.merge(tool.state(), 1, Integer::sum));
        return new UpstreamView(
                stored, settings, seen.state(), counts, seen.listed(), seen.trouble());
    }

    /// The word for its state.
    public String state() {
        return stage.word();
    }

    /// The word for the era of the protocol that it speaks.
    public Optional<String> era() {
        return stored.era().map(Era::word);
    }

    /// What an operator can do about it; empty where there is nothing to do.
    public Optional<String> remedy() {
        if (stage == LinkState.BROKEN) {
            return Optional.of(
                    "Correct what its last error says, then restart it; by itself it is tried again within 10 minutes.");
        }
        if (trouble.isPresent()) {
            return Optional.of("Correct what its last error says; it is tried again by itself.");
        }
        var waiting =
                tools.getOrDefault(ToolState.NEW, 0) + tools.getOrDefault(ToolState.CHANGED, 0);
        return waiting == 0
                ? Optional.empty()
                : Optional.of(
                        waiting == 1
                                ? "Review the definition that waits."
                                : "Review the " + waiting + " definitions that wait.");
    }
}

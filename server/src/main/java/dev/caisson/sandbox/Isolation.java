package dev.caisson.sandbox;

import dev.caisson.call.LaunchCommand;
import dev.caisson.call.Remedy;
import dev.caisson.linux.UnixSockets;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Isolation of this machine's sandboxes: which layers hold, as proved when the server started, and
/// what follows from it.
///
/// @param missing layers that are not in force, each with the reason
/// @param accepted layers the operator can do without
/// @param sockets where programs may have UNIX sockets
public record Isolation(Map<Layer, String> missing, Set<Layer> accepted, UnixSockets sockets) {
    public Isolation {
        missing = Map.copyOf(missing);
        accepted = Set.copyOf(accepted);
    }

    /// When no sandbox could be made at all. There is nothing to accept then.
    public static Isolation none(String why) {
        var missing = new EnumMap<Layer, String>(Layer.class);
        for (var layer : Layer.values()) {
            missing.put(layer, why);
        }
        return new Isolation(missing, Set.of(), UnixSockets.PAIRS_ONLY);
    }

    /// How a layer that is in force is held, where there is more than one way.
    public String how(Layer layer) {
        return layer == Layer.SOCKETS_STAY_INSIDE
                ? "in force, by " + sockets.description()
                : "in force";
    }

    public Tier tier() {
        if (missing.isEmpty()) {
            return Tier.FULL;
        }
        return accepted.containsAll(missing.keySet()) ? Tier.REDUCED : Tier.CLOSED;
    }

    public List<Layer> inForce() {
        return Arrays.stream(Layer.values()).filter(layer -> !missing.containsKey(layer)).toList();
    }

    /// Why no code runs, for callers; empty when it does. The reasons are the operator's to know.
    public Optional<String> refusal() {
        if (tier() != Tier.CLOSED) {
            return Optional.empty();
        }
        if (inForce().isEmpty()) {
            return Optional.of("No code runs here: " + missing.get(Layer.NAMESPACES) + ".");
        }
        var sentence =
                lacking()
                        .filter(layer -> !accepted.contains(layer))
                        .map(Layer::word)
                        .collect(Collectors.joining(", "));
        return Optional.of(
                "No code runs here because promised isolation is missing: %s. Its operator must fix this; caisson doctor shows how."
                        .formatted(sentence));
    }

    /// Why no code runs, for the operator: each missing layer with its reason, and both ways out.
    public Optional<String> advice() {
        if (tier() != Tier.CLOSED || inForce().isEmpty()) {
            return refusal();
        }
        var reasons =
                lacking()
                        .filter(layer -> !accepted.contains(layer))
                        .map(layer -> "  %s: %s%n".formatted(layer.word(), missing.get(layer)))
                        .collect(Collectors.joining());
        return Optional.of(
                "No code runs here, because promised isolation is missing:%n%sTo see what to type for each: %s doctor%nTo have every layer: sudo %s serve%nTo run without those: %s"
                        .formatted(
                                reasons,
                                LaunchCommand.word(),
                                LaunchCommand.word(),
                                acceptance().orElseThrow()));
    }

    /// What to type to do without all that is missing, where something is in force.
    public Optional<String> acceptance() {
        return missing.isEmpty() || inForce().isEmpty()
                ? Optional.empty()
                : Optional.of(
                        Remedy.ACCEPT_MISSING_LAYERS.word()
                                + lacking().map(Layer::word).collect(Collectors.joining(",")));
    }

    private Stream<Layer> lacking() {
        return Arrays.stream(Layer.values()).filter(missing::containsKey);
    }
}

package dev.caisson.sandbox;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Which layers hold on this machine, as proved when the server started, and what follows from it.
///
/// @param missing layers that are not in force, each with the reason
/// @param accepted layers the operator can do without
public record Isolation(Map<Layer, String> missing, Set<Layer> accepted) {
    public Isolation {
        missing = Map.copyOf(missing);
        accepted = Set.copyOf(accepted);
    }

    /// When no sandbox could be made at all.
    static Isolation none(String why, Set<Layer> accepted) {
        var missing = new EnumMap<Layer, String>(Layer.class);
        for (var layer : Layer.values()) {
            missing.put(layer, why);
        }
        return new Isolation(missing, accepted);
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

    /// Why no code runs; empty when it does.
    public Optional<String> refusal() {
        if (tier() != Tier.CLOSED) {
            return Optional.empty();
        }
        var sentence =
                Arrays.stream(Layer.values())
                        .filter(layer -> missing.containsKey(layer) && !accepted.contains(layer))
                        .map(layer -> layer.word() + " (" + missing.get(layer) + ")")
                        .collect(Collectors.joining("; "));
        return Optional.of(
                "No code runs here because promised isolation is missing: %s. Mend it, or accept it by name in sandbox.accept_missing."
                        .formatted(sentence));
    }
}

package dev.caisson.sandbox;

import java.util.Set;

/// Resting parts of a runtime: slots and control groups that wait, empty, for the next sandboxes of
/// the same caller. Whatever else is there and belongs to no sandbox was left over.
///
/// @param slots by their numbers
/// @param groups control groups by their names
public record Resting(Set<Integer> slots, Set<String> groups) {
    public static final Resting NONE = new Resting(Set.of(), Set.of());

    public Resting {
        slots = Set.copyOf(slots);
        groups = Set.copyOf(groups);
    }
}

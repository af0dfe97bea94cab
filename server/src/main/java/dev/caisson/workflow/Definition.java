package dev.caisson.workflow;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The processes the product itself has. A terminal state has a kind.
@SuppressWarnings("ImmutableEnumChecker") // Map.of and Set.of cannot be changed.
public enum Definition {
    /// A tool call that goes on after its request was answered.
    TASK(
            "working",
            Map.of(
                    "working", Set.of("input_required", "completed", "failed", "cancelled"),
                    "input_required", Set.of("working", "completed", "failed", "cancelled")),
            Map.of("completed", Kind.SUCCESS, "failed", Kind.FAILURE, "cancelled", Kind.CANCEL)),

    /// One program in one sandbox.
    EXECUTION(
            "running",
            Map.of(
                    "running",
                    Set.of("success", "failed", "timeout", "oom", "cancelled", "blocked")),
            Map.of(
                    "success", Kind.SUCCESS,
                    "failed", Kind.FAILURE,
                    "timeout", Kind.FAILURE,
                    "oom", Kind.FAILURE,
                    "cancelled", Kind.CANCEL,
                    "blocked", Kind.FAILURE));

    /// How a process can end.
    public enum Kind {
        SUCCESS,
        FAILURE,
        CANCEL
    }

    private final String initial;
    private final Map<String, Set<String>> moves;
    private final Map<String, Kind> terminal;

    Definition(String initial, Map<String, Set<String>> moves, Map<String, Kind> terminal) {
        this.initial = initial;
        this.moves = moves;
        this.terminal = terminal;
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public String initial() {
        return initial;
    }

    public boolean allows(String from, String to) {
        return moves.getOrDefault(from, Set.of()).contains(to);
    }

    public boolean isTerminal(String state) {
        return terminal.containsKey(state);
    }

    public Optional<Kind> kind(String state) {
        return Optional.ofNullable(terminal.get(state));
    }

    public Set<String> terminalStates() {
        return terminal.keySet();
    }

    public static Optional<Definition> of(String word) {
        return Arrays.stream(values()).filter(one -> one.word().equals(word)).findFirst();
    }
}

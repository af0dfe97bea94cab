package dev.caisson.workflow;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Workflow definition: the states of a kind of process, the transitions between them, and what
/// each terminal state means. It is data: a process in the database names its definition, and one
/// that this program does not know is a definition without transitions.
///
/// @param id a word that names the definition in the database
/// @param version counts from 1; what a version allows never changes
/// @param initial the state in which a process starts
/// @param transitions the states that can follow each state; nothing follows a terminal one
/// @param terminal the states in which a process has ended, and the kind of each
public record Definition(
        String id,
        int version,
        String initial,
        Map<String, Set<String>> transitions,
        Map<String, Kind> terminal) {
    /// A tool call that goes on after its request was answered.
    public static final Definition TASK =
            new Definition(
                    "task",
                    1,
                    "working",
                    Map.of(
                            "working", Set.of("input_required", "completed", "failed", "cancelled"),
                            "input_required",
                                    Set.of("working", "completed", "failed", "cancelled")),
                    Map.of(
                            "completed", Kind.SUCCESS,
                            "failed", Kind.FAILURE,
                            "cancelled", Kind.CANCEL));

    /// One program in one sandbox.
    public static final Definition EXECUTION =
            new Definition(
                    "execution",
                    1,
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

    /// A call that a person must approve before it is made.
    public static final Definition APPROVAL =
            new Definition(
                    "approval",
                    1,
                    "pending",
                    Map.of("pending", Set.of("approved", "denied", "expired", "withdrawn")),
                    Map.of(
                            "approved", Kind.SUCCESS,
                            "denied", Kind.FAILURE,
                            "expired", Kind.FAILURE,
                            "withdrawn", Kind.CANCEL));

    /// The definitions of the product itself.
    public static final List<Definition> PRODUCT = List.of(TASK, EXECUTION, APPROVAL);

    /// Separates the id from the version in a stored name.
    private static final String VERSION_MARK = "@";

    /// Kind of a terminal state: how a process ended.
    public enum Kind {
        SUCCESS,
        FAILURE,
        CANCEL
    }

    public Definition {
        if (version < 1) {
            throw new IllegalArgumentException("versions of " + id + " count from 1: " + version);
        }
        var copy = new HashMap<String, Set<String>>();
        transitions.forEach((from, to) -> copy.put(from, Set.copyOf(to)));
        transitions = Map.copyOf(copy);
        terminal = Map.copyOf(terminal);
        for (var state : terminal.keySet()) {
            if (transitions.containsKey(state)) {
                throw new IllegalArgumentException(id + " goes on after it ended: " + state);
            }
        }
        for (var targets : transitions.values()) {
            for (var state : targets) {
                if (!transitions.containsKey(state) && !terminal.containsKey(state)) {
                    throw new IllegalArgumentException(id + " leads nowhere: " + state);
                }
            }
        }
    }

    /// Name in the database: the id, and the version unless it is the first.
    public String name() {
        return version == 1 ? id : id + VERSION_MARK + version;
    }

    public boolean allows(String from, String to) {
        return transitions.getOrDefault(from, Set.of()).contains(to);
    }

    public boolean isTerminal(String state) {
        return terminal.containsKey(state);
    }

    public Optional<Kind> kind(String state) {
        return Optional.ofNullable(terminal.get(state));
    }

    /// The definition a stored process names. One that only another version of this program knows
    /// has no transitions: its processes are found and kept, and never moved.
    ///
    /// @param state where the process is
    static Definition named(String name, String state) {
        return PRODUCT.stream()
                .filter(known -> known.name().equals(name))
                .findFirst()
                .orElseGet(() -> unknown(name, state));
    }

    private static Definition unknown(String name, String state) {
        var mark = name.lastIndexOf(VERSION_MARK);
        var digits = name.substring(mark + 1);
        return mark > 0 && digits.matches("[2-9]|[1-9]\\d{1,8}")
                ? new Definition(
                        name.substring(0, mark),
                        Integer.parseInt(digits),
                        state,
                        Map.of(),
                        Map.of())
                : new Definition(name, 1, state, Map.of(), Map.of());
    }
}

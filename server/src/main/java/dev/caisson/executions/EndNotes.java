package dev.caisson.executions;

import java.util.List;
import java.util.Optional;

/// Notes on the end of a run, as they were answered beside its output.
///
/// @param display forms of its last expression: the word of the program, redacted
/// @param advice what to do about its end: the word of the server
/// @param tools what became of the tools it called, where it called any
/// @param attempt which one it was at its task, where it had one
/// @param network what it asked of the network, where it had one and asked
public record EndNotes(
        List<Form> display,
        Optional<String> advice,
        Optional<ToolUse> tools,
        Optional<Attempt> attempt,
        Optional<List<NetworkUse>> network) {
    public static final EndNotes NONE = new EndNotes(List.of(), Optional.empty());

    /// One form of the last expression, as text.
    public record Form(String mediaType, String text) {}

    public EndNotes {
        display = List.copyOf(display);
        network = network.map(List::copyOf);
    }

    /// Of a run that called no tools and had no task.
    public EndNotes(List<Form> display, Optional<String> advice) {
        this(display, advice, Optional.empty(), Optional.empty(), Optional.empty());
    }

    boolean isEmpty() {
        return display.isEmpty()
                && advice.isEmpty()
                && tools.isEmpty()
                && attempt.isEmpty()
                && network.isEmpty();
    }

    /// Nothing is kept where nothing was said.
    public Optional<EndNotes> kept() {
        return isEmpty() ? Optional.empty() : Optional.of(this);
    }
}

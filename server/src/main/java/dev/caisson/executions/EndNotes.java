package dev.caisson.executions;

import java.util.List;
import java.util.Optional;

/// Notes on the end of a run, as they were answered beside its output: the forms of its last
/// expression, and what to do about its end.
///
/// @param display the word of the program, redacted
/// @param advice the word of the server
public record EndNotes(List<Form> display, Optional<String> advice) {
    public static final EndNotes NONE = new EndNotes(List.of(), Optional.empty());

    /// One form of the last expression, as text.
    public record Form(String mediaType, String text) {}

    public EndNotes {
        display = List.copyOf(display);
    }

    boolean isEmpty() {
        return display.isEmpty() && advice.isEmpty();
    }

    /// Nothing is kept where nothing was said.
    public Optional<EndNotes> kept() {
        return isEmpty() ? Optional.empty() : Optional.of(this);
    }
}

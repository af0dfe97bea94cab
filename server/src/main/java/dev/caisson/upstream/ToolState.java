package dev.caisson.upstream;

import java.util.Locale;

/// State of a tool of an upstream in the review of its definitions.
public enum ToolState {
    /// Its definition is the approved one: it can be called.
    APPROVED,
    /// Nobody has approved a tool of this name.
    NEW,
    /// Its definition is another than the approved one.
    CHANGED,
    /// The upstream does not list it any more.
    REMOVED,
    /// Its definition cannot be used, or a person refused it.
    REFUSED;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static ToolState of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}

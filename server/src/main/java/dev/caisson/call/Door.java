package dev.caisson.call;

import java.util.Locale;

/// Door through which a call came in.
public enum Door {
    /// MCP over HTTP, in any of its eras.
    MCP,
    /// MCP over standard input and output.
    STDIO,
    REST,
    /// The command line.
    CLI,
    /// The program of a run.
    SANDBOX,
    /// The server itself.
    INSIDE;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// @throws IllegalArgumentException for a word that is none
    public static Door ofWord(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}

package dev.caisson.broker;

import java.util.Locale;

/// Effect of a tool on the world, as far as it is known.
public enum ToolEffect {
    /// It changes nothing.
    READ,
    /// It changes something.
    WRITE,
    /// It may destroy something.
    DESTROY,
    /// Nobody who is believed has said.
    UNKNOWN;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}

package dev.caisson.broker;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// Effect of a tool: the most that a call of it may do.
public enum ToolEffect {
    /// It changes nothing.
    READ,
    /// It changes something and destroys nothing.
    WRITE,
    /// It may destroy something.
    DESTROY,
    /// Nobody who is trusted has said.
    UNKNOWN;

    /// The word used on the wire and in files, such as `read`.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<ToolEffect> of(String word) {
        return Arrays.stream(values()).filter(effect -> effect.word().equals(word)).findFirst();
    }

    /// What a tool says of itself, where it is believed.
    public static ToolEffect of(ToolSpec.Hints hints) {
        if (hints.readOnly()) {
            return READ;
        }
        return hints.destructive() ? DESTROY : WRITE;
    }
}

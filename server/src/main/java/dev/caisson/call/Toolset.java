package dev.caisson.call;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Toolset: a group of tools that a key may be made for. A URL and a tool name it by its word.
public enum Toolset {
    /// To run code and to read what it wrote.
    CORE,
    /// To list, fetch, store and delete files.
    FILES,
    /// To run code in the workspace of a conversation: another form of what [#CORE] does, for
    /// clients that were written for it.
    CONVERSATION;

    /// The word used on the wire and on the command line, such as `files`.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// The toolset whose tools these do the same as.
    public Optional<Toolset> formOf() {
        return switch (this) {
            case CONVERSATION -> Optional.of(CORE);
            case CORE, FILES -> Optional.empty();
        };
    }

    public static Optional<Toolset> of(String word) {
        return Arrays.stream(values()).filter(toolset -> toolset.word().equals(word)).findFirst();
    }

    public static boolean exists(String word) {
        return of(word).isPresent();
    }

    /// All words, in order.
    public static List<String> words() {
        return Arrays.stream(values()).map(Toolset::word).toList();
    }
}

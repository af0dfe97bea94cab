package dev.caisson.call;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// A group of tools that a key may be made for. A URL and a tool name it by its word.
public enum Toolset {
    /// To run code and to read what it wrote.
    CORE,
    /// To list, fetch, store and delete files.
    FILES;

    /// The word used on the wire and on the command line, such as `files`.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static boolean exists(String word) {
        return words().contains(word);
    }

    /// All words, in order.
    public static List<String> words() {
        return Arrays.stream(values()).map(Toolset::word).toList();
    }
}

package dev.caisson.sandbox;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Programming language of a program.
public enum Language {
    PYTHON,
    NODE,
    TYPESCRIPT,
    BASH;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Whether the guest of a session reads its jobs also while a program waits for something, and
    /// so can be told there to end it.
    public boolean readsWhileWaiting() {
        return this == NODE || this == TYPESCRIPT;
    }

    /// Other words for languages, in lower case, and the words they stand for.
    public static Map<String, String> synonyms() {
        return Map.ofEntries(
                Map.entry("py", PYTHON.word()),
                Map.entry("python3", PYTHON.word()),
                Map.entry("js", NODE.word()),
                Map.entry("javascript", NODE.word()),
                Map.entry("nodejs", NODE.word()),
                Map.entry("node.js", NODE.word()),
                Map.entry("mjs", NODE.word()),
                Map.entry("ts", TYPESCRIPT.word()),
                Map.entry("sh", BASH.word()),
                Map.entry("shell", BASH.word()));
    }

    public static Optional<Language> of(String word) {
        return Arrays.stream(values()).filter(language -> language.word().equals(word)).findFirst();
    }
}

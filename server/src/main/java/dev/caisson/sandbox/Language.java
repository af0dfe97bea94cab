package dev.caisson.sandbox;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// What a program can be written in.
public enum Language {
    PYTHON,
    NODE,
    TYPESCRIPT,
    BASH;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Language> of(String word) {
        return Arrays.stream(values()).filter(language -> language.word().equals(word)).findFirst();
    }
}

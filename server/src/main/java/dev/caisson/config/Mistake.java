package dev.caisson.config;

import java.util.Optional;

/// One mistake in the configuration, told to the person who wrote it.
///
/// @param value what was written; absent for a secret, which is never repeated
/// @param problem what is wrong, as a clause
/// @param remedy what to do, as a sentence
public record Mistake(
        String key, Optional<String> value, Origin origin, String problem, String remedy) {
    public String sentence() {
        var written = value.map(text -> key + " = \"" + text + "\"").orElse(key);
        return written + " (" + origin.words() + ") " + problem + ". " + remedy;
    }
}

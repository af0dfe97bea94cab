package dev.caisson.config;

import java.util.List;
import java.util.Locale;

/// One key, declared once: everything else about it (reading, documentation, listing) follows.
///
/// @param name dotted, such as `http.port`
/// @param initial the default, as text
/// @param doc one sentence for the documentation
/// @param secret whether its value must never be shown
/// @param alsoRead names of environment variables beside the derived one
public record Setting<T>(
        String name,
        Type<T> type,
        String initial,
        String doc,
        boolean secret,
        List<String> alsoRead) {
    static <T> Setting<T> setting(String name, Type<T> type, String initial, String doc) {
        return new Setting<>(name, type, initial, doc, false, List.of());
    }

    Setting<T> hidden() {
        return new Setting<>(name, type, initial, doc, true, alsoRead);
    }

    Setting<T> alsoFrom(String variable) {
        return new Setting<>(name, type, initial, doc, secret, List.of(variable));
    }

    /// The environment variable that sets it, such as `CAISSON_HTTP_PORT`.
    public String variable() {
        return "CAISSON_" + name.replace('.', '_').toUpperCase(Locale.ROOT);
    }
}

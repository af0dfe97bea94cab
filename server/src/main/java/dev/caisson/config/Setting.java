package dev.caisson.config;

import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Locale;

/// One configuration key, as the [Key] of a record component declares it.
///
/// @param name dotted, such as `http.port`
/// @param initial the default, as text
/// @param doc one sentence for the documentation
/// @param secret whether its value must never be shown
/// @param alsoRead names of environment variables beside the derived one
public record Setting(
        String name,
        Type<?> type,
        String initial,
        String doc,
        boolean secret,
        List<String> alsoRead) {
    static Setting of(RecordComponent component, Key key) {
        return new Setting(
                key.name(),
                ComponentType.of(component, key),
                key.initial(),
                key.doc(),
                key.secret(),
                key.alsoFrom().isEmpty() ? List.of() : List.of(key.alsoFrom()));
    }

    /// The word before the dot.
    String section() {
        return name.substring(0, name.indexOf('.'));
    }

    /// The environment variable that sets it, such as `CAISSON_HTTP_PORT`.
    public String variable() {
        return "CAISSON_" + name.replace('.', '_').toUpperCase(Locale.ROOT);
    }
}

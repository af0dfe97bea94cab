package dev.caisson.call;

import java.util.Map;
import java.util.TreeSet;

/// Environment variables that somebody gave in advance, for every run: some may be shown, of others
/// only the names.
///
/// @param plain by name
/// @param secret by name; their values never leave the server
public record Variables(Map<String, String> plain, Map<String, String> secret) {
    public static final Variables NONE = new Variables(Map.of(), Map.of());

    public Variables {
        plain = Map.copyOf(plain);
        secret = Map.copyOf(secret);
    }

    /// Without values.
    @Override
    public String toString() {
        return "Variables[%s, secret %s]"
                .formatted(new TreeSet<>(plain.keySet()), new TreeSet<>(secret.keySet()));
    }
}

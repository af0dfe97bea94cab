package dev.caisson.redact;

import dev.caisson.json.Json;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Exact values, as they are and as others write them: as a string of JSON and as a part of an
/// address. Every value is there as it is; the other spellings are bounded together, the short
/// values first.
final class Spellings {
    static final int OTHERS_CHARACTERS_MAX = 64 << 10;

    private Spellings() {}

    /// @param lengthMin of a value that counts
    static Set<String> of(Collection<String> values, int lengthMin) {
        var exact =
                values.stream()
                        .filter(value -> value.length() >= lengthMin)
                        .sorted(Comparator.comparingInt(String::length))
                        .toList();
        var all = new HashSet<>(exact);
        var room = OTHERS_CHARACTERS_MAX;
        for (var value : exact) {
            if (value.length() > room) {
                break;
            }
            for (var other : others(value)) {
                if (other.length() <= room && all.add(other)) {
                    room -= other.length();
                }
            }
        }
        return Set.copyOf(all);
    }

    private static List<String> others(String value) {
        var json = Json.text(Json.tree(value));
        var form = URLEncoder.encode(value, StandardCharsets.UTF_8);
        return List.of(json.substring(1, json.length() - 1), form, form.replace("+", "%20"));
    }
}

package dev.caisson.upstream;

import dev.caisson.json.Json;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Mask over what may be secret in the entry of an upstream, for answers and records: values of
/// headers and of variables that name no secret of the vault, and what follows `?` in a URL.
public final class EntryMask {
    /// What stands for a value that is not shown.
    public static final String HIDDEN = "(not shown)";

    private static final List<String> VALUES =
            List.of("/env", "/credentials/headers", "/credentials/env");

    private EntryMask() {}

    /// The entry as it may be shown.
    public static ObjectNode of(ObjectNode entry) {
        var shown = entry.deepCopy();
        VALUES.forEach(place -> mask(shown.at(place)));
        for (var member : List.of("client_secret", "private_key")) {
            if (shown.path("credentials") instanceof ObjectNode given
                    && given.has(member)
                    && !isReference(given.path(member))) {
                given.put(member, HIDDEN);
            }
        }
        var url = shown.path("url");
        if (url.isString() && url.stringValue().indexOf('?') >= 0) {
            var text = url.stringValue();
            shown.put("url", text.substring(0, text.indexOf('?') + 1) + HIDDEN);
        }
        return shown;
    }

    private static void mask(JsonNode values) {
        if (values instanceof ObjectNode object) {
            for (var name : List.copyOf(object.propertyNames())) {
                if (!isReference(object.path(name))) {
                    object.set(name, Json.tree(HIDDEN));
                }
            }
        }
    }

    /// Whether a value is what the vault holds, beside words such as `Bearer`.
    static boolean isReference(JsonNode value) {
        return value.isString()
                && !new SecretText(value.stringValue()).names().isEmpty()
                && new SecretText(value.stringValue()).isSound();
    }

    /// Whether a mask stands in an entry in place of a value.
    static boolean isIn(ObjectNode entry) {
        return Json.text(entry).contains(HIDDEN);
    }
}

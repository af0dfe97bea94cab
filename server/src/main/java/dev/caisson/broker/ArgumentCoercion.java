package dev.caisson.broker;

import dev.caisson.json.Json;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Language models write `"30"` for 30, `"true"` for true and `JavaScript` for `node`. Where a
/// schema leaves no doubt what is meant, it is taken for that; everything else stays as it came,
/// and is judged by the schema.
final class ArgumentCoercion {
    private static final Pattern INTEGER = Pattern.compile("-?[0-9]{1,18}");
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,18}(?:\\.[0-9]{1,18})?");

    private ArgumentCoercion() {}

    /// The same arguments as the schema means them.
    static ObjectNode of(ObjectNode arguments, ToolSpec spec) {
        return object(arguments, spec.inputSchema(), spec.synonyms());
    }

    private static ObjectNode object(
            ObjectNode given, JsonNode schema, Map<String, Map<String, String>> synonyms) {
        var taken = Json.object();
        for (var member : given.properties()) {
            var name = member.getKey();
            var wanted = schema.path("properties").path(name);
            taken.set(
                    name, value(member.getValue(), wanted, synonyms.getOrDefault(name, Map.of())));
        }
        return taken;
    }

    private static JsonNode value(JsonNode given, JsonNode wanted, Map<String, String> synonyms) {
        if (given instanceof ObjectNode object) {
            return object(object, wanted, Map.of());
        }
        if (given.isArray()) {
            var items = Json.array();
            given.forEach(item -> items.add(value(item, wanted.path("items"), synonyms)));
            return items;
        }
        return given.isString() ? text(given, wanted, synonyms) : given;
    }

    private static JsonNode text(JsonNode given, JsonNode wanted, Map<String, String> synonyms) {
        var text = given.stringValue();
        return switch (wanted.path("type").asString("")) {
            case "integer" ->
                    INTEGER.matcher(text).matches() ? Json.tree(new BigInteger(text)) : given;
            case "number" ->
                    NUMBER.matcher(text).matches() ? Json.tree(new BigDecimal(text)) : given;
            case "boolean" -> truth(given, text.toLowerCase(Locale.ROOT));
            case "string" -> word(given, wanted.path("enum"), synonyms);
            default -> given;
        };
    }

    private static JsonNode truth(JsonNode given, String text) {
        return switch (text) {
            case "true" -> Json.tree(true);
            case "false" -> Json.tree(false);
            default -> given;
        };
    }

    /// A word of a fixed set in any case, or another word for it.
    private static JsonNode word(JsonNode given, JsonNode words, Map<String, String> synonyms) {
        if (words.isEmpty() || has(words, given.stringValue())) {
            return given;
        }
        var text = given.stringValue().strip().toLowerCase(Locale.ROOT);
        var meant = synonyms.getOrDefault(text, text);
        return has(words, meant) ? Json.tree(meant) : given;
    }

    private static boolean has(JsonNode words, String word) {
        return words.valueStream().anyMatch(each -> word.equals(each.asString("")));
    }
}

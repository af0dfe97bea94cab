package dev.caisson.upstream.connection;

import dev.caisson.json.Json;
import dev.caisson.rpc.HeaderText;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Arguments that a tool wants to have in headers too, as the `x-mcp-header` of its schema say.
public final class MirroredArguments {
    private static final String KEYWORD = "x-mcp-header";
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}");
    private static final Set<String> TYPES = Set.of("string", "integer", "boolean");

    private MirroredArguments() {}

    /// What is wrong with the headers that a schema asks for; empty when nothing is. Such a tool
    /// must not be offered.
    public static Optional<String> complaint(JsonNode inputSchema) {
        var names = new HashSet<String>();
        var wrong = walk(inputSchema, names);
        if (wrong.isPresent()) {
            return wrong;
        }
        return occurrences(inputSchema) == names.size()
                ? Optional.empty()
                : Optional.of(KEYWORD + " stands elsewhere than on a property");
    }

    private static Optional<String> walk(JsonNode schema, Set<String> names) {
        for (var property : schema.path("properties").properties()) {
            var own = property.getValue();
            if (own.has(KEYWORD)) {
                var wrong = complaint(own, names);
                if (wrong.isPresent()) {
                    return wrong;
                }
            }
            var below = walk(own, names);
            if (below.isPresent()) {
                return below;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> complaint(JsonNode property, Set<String> names) {
        var name = property.path(KEYWORD).stringValue("");
        if (!TOKEN.matcher(name).matches()) {
            return Optional.of(KEYWORD + " is no name of a header");
        }
        if (!names.add(name.toLowerCase(Locale.ROOT))) {
            return Optional.of(KEYWORD + " names the same header twice");
        }
        return TYPES.contains(property.path("type").stringValue(""))
                ? Optional.empty()
                : Optional.of(KEYWORD + " is on a value that is no string, integer or boolean");
    }

    private static int occurrences(JsonNode schema) {
        int count = 0;
        for (var member : schema.properties()) {
            count += member.getKey().equals(KEYWORD) ? 1 : 0;
        }
        for (var value : schema) {
            count += occurrences(value);
        }
        return count;
    }

    /// The headers of a call, by name.
    static Map<String, String> headers(JsonNode inputSchema, ObjectNode arguments) {
        var headers = new LinkedHashMap<String, String>();
        if (complaint(inputSchema).isEmpty()) {
            collect(inputSchema, arguments, headers);
        }
        return headers;
    }

    private static void collect(JsonNode schema, JsonNode values, Map<String, String> headers) {
        for (var property : schema.path("properties").properties()) {
            var value = values.path(property.getKey());
            var name = property.getValue().path(KEYWORD).stringValue("");
            if (!name.isEmpty() && value.isValueNode() && !value.isNull()) {
                headers.put("Mcp-Param-" + name, HeaderText.encoded(text(value)));
            }
            collect(property.getValue(), value, headers);
        }
    }

    private static String text(JsonNode value) {
        return value.isString() ? value.stringValue() : Json.text(value);
    }
}

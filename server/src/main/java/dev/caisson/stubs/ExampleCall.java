package dev.caisson.stubs;

import dev.caisson.json.Json;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

/// Example of a call, with the arguments that must be given. It shows the form; what stands in it
/// is made up, but for values that the schema has for them.
final class ExampleCall {
    /// In characters; a longer one helps nobody.
    static final int LENGTH_MAX = 600;

    private static final int VALUE_LENGTH_MAX = 60;
    private static final int DEPTH_MAX = 4;
    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private ExampleCall() {}

    /// Empty where it would be too long.
    static Optional<String> python(StubFunction function) {
        var arguments = arguments(function.tool().inputSchema());
        var origin = function.origin();
        var named =
                arguments.propertyNames().stream()
                        .allMatch(name ->
                                IDENTIFIER.matcher(name).matches()
                                        && !ReservedWords.PYTHON.contains(name));
        var given =
                arguments.isEmpty()
                        ? ""
                        : named
                                ? arguments.properties().stream()
                                        .map(each -> each.getKey() + "=" + python(each.getValue()))
                                        .collect(Collectors.joining(", "))
                                : python(arguments);
        return fitting(origin.server() + "." + origin.function() + "(" + given + ")");
    }

    static Optional<String> javaScript(StubFunction function) {
        var arguments = arguments(function.tool().inputSchema());
        var origin = function.origin();
        return fitting(
                "await "
                        + origin.server()
                        + "."
                        + origin.jsFunction()
                        + "("
                        + (arguments.isEmpty() ? "" : javaScript(arguments))
                        + ")");
    }

    /// As the tool `tool_call` takes it.
    static Optional<String> json(StubFunction function) {
        var call = Json.object().put("tool", function.origin().qualifiedName());
        call.set("arguments", arguments(function.tool().inputSchema()));
        return fitting(Json.text(call));
    }

    private static Optional<String> fitting(String text) {
        return Optional.of(text).filter(one -> one.length() <= LENGTH_MAX);
    }

    private static ObjectNode arguments(JsonNode schema) {
        return value(schema, 0) instanceof ObjectNode object ? object : Json.object();
    }

    private static JsonNode value(JsonNode schema, int depth) {
        var given = given(schema);
        if (given.isPresent()) {
            return given.get();
        }
        return switch (type(schema)) {
            case "object" -> object(schema, depth);
            case "array" -> array(schema, depth);
            case "integer" -> Json.tree(schema.path("minimum").longValue(1));
            case "number" -> Json.tree(schema.path("minimum").doubleValue(1));
            case "boolean" -> Json.tree(true);
            case "null" -> NullNode.getInstance();
            default -> Json.tree("…");
        };
    }

    /// A value that the schema itself names, unless it is long.
    private static Optional<JsonNode> given(JsonNode schema) {
        for (var value :
                new JsonNode[] {
                    schema.path("const"), schema.path("enum").path(0), schema.path("default")
                }) {
            if (value.isValueNode() && value.asString("").length() <= VALUE_LENGTH_MAX) {
                return Optional.of(value);
            }
        }
        return Optional.empty();
    }

    private static String type(JsonNode schema) {
        var type = schema.path("type");
        if (type.isArray()) {
            return type.path(0).asString("");
        }
        return type.asString(schema.has("properties") ? "object" : "");
    }

    private static ObjectNode object(JsonNode schema, int depth) {
        var object = Json.object();
        if (depth < DEPTH_MAX) {
            schema.path("required")
                    .valueStream()
                    .map(name -> name.asString(""))
                    .forEach(name ->
                            object.set(
                                    name, value(schema.path("properties").path(name), depth + 1)));
        }
        return object;
    }

    private static JsonNode array(JsonNode schema, int depth) {
        var array = Json.array();
        if (depth < DEPTH_MAX && schema.has("items")) {
            array.add(value(schema.path("items"), depth + 1));
        }
        return array;
    }

    private static String python(JsonNode value) {
        if (value.isObject()) {
            return value.properties().stream()
                    .map(each -> SourceText.python(each.getKey()) + ": " + python(each.getValue()))
                    .collect(Collectors.joining(", ", "{", "}"));
        }
        if (value.isArray()) {
            return value.valueStream()
                    .map(ExampleCall::python)
                    .collect(Collectors.joining(", ", "[", "]"));
        }
        if (value.isString()) {
            return value.stringValue().equals("…")
                    ? "\"…\""
                    : SourceText.python(value.stringValue());
        }
        if (value.isBoolean()) {
            return value.booleanValue() ? "True" : "False";
        }
        return value.isNull() ? "None" : value.asString("None");
    }

    private static String javaScript(JsonNode value) {
        if (value.isObject()) {
            return value.properties().stream()
                    .map(each ->
                            (IDENTIFIER.matcher(each.getKey()).matches()
                                            ? each.getKey()
                                            : SourceText.javaScript(each.getKey()))
                                    + ": "
                                    + javaScript(each.getValue()))
                    .collect(Collectors.joining(", ", "{ ", " }"));
        }
        if (value.isArray()) {
            return value.valueStream()
                    .map(ExampleCall::javaScript)
                    .collect(Collectors.joining(", ", "[", "]"));
        }
        return value.isString() && !value.stringValue().equals("…")
                ? SourceText.javaScript(value.stringValue())
                : Json.text(value);
    }
}

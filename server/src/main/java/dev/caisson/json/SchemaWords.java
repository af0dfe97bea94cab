package dev.caisson.json;

import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// Words of JSON Schema that assert something. A schema may have others, which assert nothing;
/// where a person writes it as a condition, another word is a mistake.
public final class SchemaWords {
    /// Keywords whose members are names, each with a schema.
    private static final Set<String> NAMED =
            Set.of("properties", "patternProperties", "$defs", "dependentSchemas");

    /// Keywords that hold a schema, or a list of schemas.
    private static final Set<String> INNER =
            Set.of(
                    "items",
                    "prefixItems",
                    "contains",
                    "additionalProperties",
                    "propertyNames",
                    "unevaluatedItems",
                    "unevaluatedProperties",
                    "not",
                    "if",
                    "then",
                    "else",
                    "allOf",
                    "anyOf",
                    "oneOf");

    private static final Set<String> PLAIN =
            Set.of(
                    "type",
                    "const",
                    "enum",
                    "minimum",
                    "maximum",
                    "exclusiveMinimum",
                    "exclusiveMaximum",
                    "multipleOf",
                    "minLength",
                    "maxLength",
                    "pattern",
                    "minItems",
                    "maxItems",
                    "uniqueItems",
                    "minContains",
                    "maxContains",
                    "minProperties",
                    "maxProperties",
                    "required",
                    "dependentRequired",
                    "$ref",
                    "$schema",
                    "title",
                    "description",
                    "$comment");

    private static final Set<String> TYPES =
            Set.of("object", "array", "string", "number", "integer", "boolean", "null");

    private SchemaWords() {}

    /// A word in a schema that asserts nothing, or that is no type.
    ///
    /// @param schema within the limits of [Schema#of]
    public static Optional<String> unknown(JsonNode schema) {
        for (var keyword : schema.properties()) {
            var found = unknown(keyword.getKey(), keyword.getValue());
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> unknown(String keyword, JsonNode value) {
        if (NAMED.contains(keyword)) {
            return first(value);
        }
        if (INNER.contains(keyword)) {
            return value.isArray() ? first(value) : unknown(value);
        }
        if (keyword.equals("type")) {
            return value.isArray()
                    ? value.valueStream().flatMap(one -> noType(one).stream()).findFirst()
                    : noType(value);
        }
        return PLAIN.contains(keyword) ? Optional.empty() : Optional.of(ShortText.text(keyword));
    }

    private static Optional<String> first(JsonNode schemas) {
        return schemas.valueStream().flatMap(one -> unknown(one).stream()).findFirst();
    }

    private static Optional<String> noType(JsonNode type) {
        var word = type.asString("");
        return TYPES.contains(word) ? Optional.empty() : Optional.of(ShortText.text(word));
    }
}

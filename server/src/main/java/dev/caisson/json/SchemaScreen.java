package dev.caisson.json;

import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// Check of a schema before it is compiled: its dialect is known, its size is bounded, and its
/// references stay within it.
final class SchemaScreen {
    /// How deep schemas may be nested.
    static final int DEPTH_MAX = 64;

    /// How many schemas there may be in all.
    static final int SUBSCHEMAS_MAX = 5_000;

    private static final Set<String> DIALECTS =
            Set.of(
                    "https://json-schema.org/draft/2020-12/schema",
                    "https://json-schema.org/draft/2019-09/schema",
                    "http://json-schema.org/draft-07/schema");

    private static final Set<String> REFERENCES = Set.of("$ref", "$dynamicRef", "$recursiveRef");

    /// Keywords whose members are names, each with a schema.
    private static final Set<String> NAMED_SCHEMAS =
            Set.of(
                    "properties",
                    "patternProperties",
                    "$defs",
                    "definitions",
                    "dependentSchemas",
                    "dependencies");

    /// Keywords that hold values, not schemas.
    private static final Set<String> VALUES = Set.of("const", "enum", "default", "examples");

    private final Set<URI> ids = new HashSet<>();
    private final List<URI> references = new ArrayList<>();
    private int schemas;

    private SchemaScreen() {}

    /// @throws IllegalArgumentException with a sentence that says what is wrong
    static void check(JsonNode schema) {
        if (!schema.isObject() && !schema.isBoolean()) {
            throw new IllegalArgumentException("A schema must be an object or a boolean.");
        }
        if (WideNumbers.isIn(schema)) {
            throw new IllegalArgumentException(
                    "The schema cannot be used: " + WideNumbers.SENTENCE + ".");
        }
        var screen = new SchemaScreen();
        screen.walk(schema, URI.create(""), 1);
        screen.references.stream()
                .filter(reference -> !screen.ids.contains(reference))
                .findFirst()
                .ifPresent(SchemaScreen::refuse);
    }

    private static void refuse(URI reference) {
        throw new IllegalArgumentException(
                "The schema refers to "
                        + ShortText.text(reference.toString())
                        + ", which is not part of it; nothing is fetched. Put it under $defs.");
    }

    private void walk(JsonNode schema, URI outerBase, int depth) {
        if (!schema.isObject()) {
            return;
        }
        count(depth);
        checkDialect(schema.path("$schema"));
        var base = base(schema, outerBase);
        for (var keyword : schema.properties()) {
            visit(keyword.getKey(), keyword.getValue(), base, depth);
        }
    }

    private void visit(String keyword, JsonNode value, URI base, int depth) {
        if (REFERENCES.contains(keyword) && value.isString()) {
            refer(base, value.stringValue());
        } else if (NAMED_SCHEMAS.contains(keyword)) {
            value.forEach(member -> walk(member, base, depth + 1));
        } else if (!VALUES.contains(keyword)) {
            walk(value, base, depth + 1);
            if (value.isArray()) {
                value.forEach(item -> walk(item, base, depth + 1));
            }
        }
    }

    private void count(int depth) {
        schemas++;
        if (depth > DEPTH_MAX) {
            throw new IllegalArgumentException(
                    "The schema is nested deeper than " + DEPTH_MAX + " levels.");
        }
        if (schemas > SUBSCHEMAS_MAX) {
            throw new IllegalArgumentException(
                    "The schema has more than " + SUBSCHEMAS_MAX + " schemas in it.");
        }
    }

    private static void checkDialect(JsonNode dialect) {
        if (dialect.isString() && !DIALECTS.contains(withoutEmptyFragment(dialect.stringValue()))) {
            throw new IllegalArgumentException(
                    "The schema is written in "
                            + ShortText.text(dialect.stringValue())
                            + ", which is not known here. Use "
                            + "https://json-schema.org/draft/2020-12/schema.");
        }
    }

    private static String withoutEmptyFragment(String uri) {
        return uri.endsWith("#") ? uri.substring(0, uri.length() - 1) : uri;
    }

    private URI base(JsonNode schema, URI outerBase) {
        var id = schema.path("$id");
        if (!id.isString()) {
            return outerBase;
        }
        var base = resolve(outerBase, id.stringValue());
        ids.add(base);
        return base;
    }

    private void refer(URI base, String reference) {
        if (!reference.startsWith("#")) {
            references.add(resolve(base, reference));
        }
    }

    /// The absolute form without a fragment.
    private static URI resolve(URI base, String reference) {
        var hash = reference.indexOf('#');
        try {
            return base.resolve(hash < 0 ? reference : reference.substring(0, hash));
        } catch (IllegalArgumentException failure) {
            throw new IllegalArgumentException(
                    "The schema holds " + ShortText.text(reference) + ", which is not a URI.",
                    failure);
        }
    }
}

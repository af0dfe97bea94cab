package dev.caisson.upstream;

import dev.caisson.json.Json;
import dev.caisson.json.Schema;
import dev.caisson.upstream.connection.MirroredArguments;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Screen before definitions of tools: names that can be named, schemas that can be checked within
/// bounds, and no text that hides in what must stay as it is. Nothing is fetched.
final class DefinitionScreen {
    /// How large a schema may be, as compact JSON.
    static final int SCHEMA_BYTES_MAX = 64 << 10;

    /// How large a definition may be, icons and all.
    static final int DEFINITION_BYTES_MAX = 256 << 10;

    private DefinitionScreen() {}

    /// Why a definition cannot be used, as a sentence; empty when it can.
    static Optional<String> refusal(ObjectNode received) {
        try {
            check(received);
            return Optional.empty();
        } catch (Unusable unusable) {
            return Optional.of(String.valueOf(unusable.getMessage()));
        }
    }

    private static void check(ObjectNode received) throws Unusable {
        var name = received.path("name");
        if (!name.isString() || !ToolNames.isName(name.stringValue())) {
            throw new Unusable(
                    "Its name is not 1 to 128 letters of ASCII, digits, _, - and full stops.");
        }
        if (Json.bytes(received).length > DEFINITION_BYTES_MAX) {
            throw new Unusable("Its definition is larger than " + DEFINITION_BYTES_MAX + " bytes.");
        }
        var input = received.path("inputSchema");
        if (!input.isObject() || !"object".equals(input.path("type").asString(""))) {
            throw new Unusable("Its input schema is not one of an object.");
        }
        checkSchema("input", input);
        var header = MirroredArguments.complaint(input);
        if (header.isPresent()) {
            throw new Unusable("In its input schema, " + header.get() + ".");
        }
        var output = received.path("outputSchema");
        if (!output.isMissingNode() && !output.isNull()) {
            if (!output.isObject()) {
                throw new Unusable("Its output schema is not an object.");
            }
            checkSchema("output", output);
        }
    }

    private static void checkSchema(String which, JsonNode schema) throws Unusable {
        if (Json.bytes(schema).length > SCHEMA_BYTES_MAX) {
            throw new Unusable(
                    "Its " + which + " schema is larger than " + SCHEMA_BYTES_MAX + " bytes.");
        }
        hidden(schema);
        try {
            var _ = Schema.of(schema);
        } catch (IllegalArgumentException wrong) {
            throw new Unusable(
                    "Its %s schema cannot be used: %s"
                            .formatted(
                                    which,
                                    CleanText.sentence(String.valueOf(wrong.getMessage()), 300)));
        }
    }

    /// Names of members and fixed values reach models as they are, so they hide nothing.
    private static void hidden(JsonNode schema) throws Unusable {
        if (schema.isArray()) {
            for (var item : schema) {
                hidden(item);
            }
        }
        for (var keyword : schema.properties()) {
            var value = keyword.getValue();
            requireClean(keyword.getKey());
            if (CleanSchema.NAMED.contains(keyword.getKey()) && value.isObject()) {
                for (var named : value.properties()) {
                    requireClean(named.getKey());
                    hidden(named.getValue());
                }
            } else if (CleanSchema.VALUES.contains(keyword.getKey())) {
                plain(value);
            } else {
                hidden(value);
            }
        }
    }

    private static void plain(JsonNode value) throws Unusable {
        if (value.isString()) {
            requireClean(value.stringValue());
        }
        for (var item : value) {
            plain(item);
        }
        for (var name : value.propertyNames()) {
            requireClean(name);
        }
    }

    private static void requireClean(String text) throws Unusable {
        if (!CleanText.isClean(text)) {
            throw new Unusable(
                    "A name or a fixed value in its schemas has characters that cannot be seen.");
        }
    }

    /// A definition that cannot be used.
    private static final class Unusable extends Exception {
        private static final long serialVersionUID = 1L;

        Unusable(String sentence) {
            super(sentence, null, false, false);
        }
    }
}

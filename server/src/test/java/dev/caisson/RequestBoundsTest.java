package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.call.Caller;
import dev.caisson.json.Json;
import dev.caisson.json.MaxBytes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Everything a caller can send has a bound that its schema names, over every door.
@Tag("root")
@Timeout(120)
class RequestBoundsTest {
    private static final Set<String> PLAIN = Set.of("boolean", "integer", "number", "null");

    /// Nothing in it repeats without end.
    private static final String BOUNDED_PATTERN = "\\^[^*+]*\\$";

    @TempDir Path directory;
    private JsonNode document = Json.object();
    private final List<String> unbounded = new ArrayList<>();
    private final Set<String> seen = new TreeSet<>();

    @Test
    void every_member_of_every_request_is_bounded() throws Exception {
        try (var product = new TestProduct(directory)) {
            document = product.get("/v1/openapi.json");
            document.path("paths")
                    .properties()
                    .forEach(path ->
                            path.getValue()
                                    .properties()
                                    .forEach(method -> body(path.getKey(), method.getValue())));
            var listed = tools(product);
            assertThat(listed).hasSizeGreaterThan(5);
            for (var tool : listed) {
                var name = tool.path("name").stringValue();
                // The list shows a brief form; calls are checked against the whole.
                walk(
                        name,
                        product.server
                                .core
                                .broker
                                .tool(Caller.LOCAL, name)
                                .orElseThrow()
                                .inputSchema());
            }
        }
        assertThat(seen).as("members that were looked at").hasSizeGreaterThan(40);
        assertThat(unbounded).isEmpty();
    }

    private static JsonNode tools(TestProduct product) throws Exception {
        var answer =
                product.send(
                        McpMessages.modern(product.request("/mcp"), "tools/list", Json.object()));
        return Json.parse(answer.body()).path("result").path("tools");
    }

    private void body(String path, JsonNode operation) {
        var content = operation.path("requestBody").path("content").path("application/json");
        if (!content.isMissingNode()) {
            walk(path, content.path("schema"));
        }
    }

    private void walk(String where, JsonNode schema) {
        seen.add(where);
        if (schema.has("$ref")) {
            var pointer = schema.path("$ref").stringValue().substring(1);
            walk(where, document.at(pointer));
        } else if (!isBounded(schema)) {
            parts(where, schema);
        }
    }

    private static final JsonNode TEXT_OR_WHOLE = Json.array().add("string").add("integer");

    private static boolean isBounded(JsonNode schema) {
        return schema.has("enum")
                || schema.has("const")
                || schema.has(MaxBytes.KEYWORD)
                || PLAIN.contains(schema.path("type").asString(""));
    }

    private void parts(String where, JsonNode schema) {
        switch (schema.path("type").asString("")) {
            case "string" -> require(where, isBoundedText(schema));
            case "array" -> {
                require(where, schema.has("maxItems"));
                walk(where + "[]", schema.path("items"));
            }
            case "object" -> object(where, (ObjectNode) schema);
            case "" -> require(where, isTextOrWhole(schema) && isBoundedText(schema));
            default -> require(where, false);
        }
    }

    private static boolean isTextOrWhole(JsonNode schema) {
        return schema.path("type").equals(TEXT_OR_WHOLE) && schema.has("maximum");
    }

    private static boolean isBoundedText(JsonNode schema) {
        return schema.has("maxLength")
                || schema.path("pattern").asString("").matches(BOUNDED_PATTERN);
    }

    private void object(String where, ObjectNode schema) {
        schema.path("properties")
                .properties()
                .forEach(member -> walk(where + "." + member.getKey(), member.getValue()));
        require(
                where,
                schema.path("additionalProperties").isBoolean()
                        && !schema.path("additionalProperties").booleanValue());
    }

    private void require(String where, boolean bounded) {
        if (!bounded) {
            unbounded.add(where);
        }
    }
}

package dev.caisson.acceptance;

import java.util.List;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// JSON as tests read and write it: strictly, and not by the product's own code.
public final class Json {
    private static final JsonMapper MAPPER =
            JsonMapper.builder()
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
                    .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                    .build();

    private Json() {}

    public static JsonNode parse(String text) {
        return MAPPER.readTree(text);
    }

    public static JsonNode parse(byte[] bytes) {
        return MAPPER.readTree(bytes);
    }

    public static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    public static JsonNode tree(Object value) {
        return MAPPER.valueToTree(value);
    }

    public static <T> T read(JsonNode node, Class<T> type) {
        return MAPPER.treeToValue(node, type);
    }

    public static byte[] bytes(JsonNode node) {
        return MAPPER.writeValueAsBytes(node);
    }

    public static String text(JsonNode node) {
        return MAPPER.writeValueAsString(node);
    }

    public static String pretty(JsonNode node) {
        return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(node);
    }

    /// All that the result of a run tells, to models and to programs.
    public static ObjectNode told(JsonNode result) {
        var all = object();
        for (var part :
                List.of(
                        result.path("_meta").path("dev.caisson/execution"),
                        result.path("structuredContent"))) {
            part.properties().forEach(member -> all.set(member.getKey(), member.getValue()));
        }
        return all;
    }
}

package dev.caisson.json;

import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The one JSON reader and writer. Everything that comes from outside is read here, within these
/// limits.
public final class Json {
    /// How deep objects and arrays may be nested. Deeper input is not JSON to us.
    public static final int DEPTH_MAX = 128;

    /// How long one number may be, in characters.
    static final int NUMBER_LENGTH_MAX = 200;

    private static final JsonMapper MAPPER =
            JsonMapper.builder(
                            JsonFactory.builder()
                                    .streamReadConstraints(
                                            StreamReadConstraints.builder()
                                                    .maxNestingDepth(DEPTH_MAX)
                                                    .maxNumberLength(NUMBER_LENGTH_MAX)
                                                    .maxStringLength(Integer.MAX_VALUE)
                                                    .build())
                                    .build())
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
                    .build();

    private Json() {}

    /// @throws tools.jackson.core.JacksonException when the bytes are not one JSON value within the
    ///   limits
    public static JsonNode parse(byte[] bytes) {
        return MAPPER.readTree(bytes);
    }

    /// @throws tools.jackson.core.JacksonException when the text is not one JSON value within the
    ///   limits
    public static JsonNode parse(String text) {
        return MAPPER.readTree(text);
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

    public static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    public static ArrayNode array() {
        return JsonNodeFactory.instance.arrayNode();
    }

    /// A record, a map, a list or a plain value as a tree.
    public static JsonNode tree(Object value) {
        return MAPPER.valueToTree(value);
    }

    /// A tree as a record. Meant for trees that were validated before.
    public static <T> T read(JsonNode node, Class<T> type) {
        return MAPPER.treeToValue(node, type);
    }
}

package dev.caisson.json;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.util.function.UnaryOperator;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/// The one JSON reader and writer. Everything that comes from outside is read here, within these
/// limits.
public final class Json {
    /// How deep objects and arrays may be nested. Deeper input is not JSON to us.
    public static final int DEPTH_MAX = 128;

    /// How long one number may be, in characters.
    static final int NUMBER_LENGTH_MAX = 200;

    /// How many names, values and brackets a request may have: each takes some 50 bytes of memory,
    /// and all of them are looked at several times before anything is done.
    public static final int REQUEST_TOKENS_MAX = 100_000;

    /// How many names, values and brackets an answer of another server may have.
    public static final int ANSWER_TOKENS_MAX = 1_000_000;

    /// Requests up to this size are parsed on the thread that received them, larger ones on the
    /// threads that compute.
    public static final int PARSED_AT_ONCE_BYTES = 128 * 1024;

    private static final JsonMapper MAPPER = mapper(Long.MAX_VALUE);
    private static final JsonMapper REQUESTS = mapper(REQUEST_TOKENS_MAX);
    private static final JsonMapper ANSWERS = mapper(ANSWER_TOKENS_MAX);

    private Json() {}

    private static JsonMapper mapper(long tokensMax) {
        return JsonMapper.builder(
                        JsonFactory.builder()
                                .streamReadConstraints(
                                        StreamReadConstraints.builder()
                                                .maxNestingDepth(DEPTH_MAX)
                                                .maxNumberLength(NUMBER_LENGTH_MAX)
                                                .maxStringLength(Integer.MAX_VALUE)
                                                .maxTokenCount(tokensMax)
                                                .build())
                                .build())
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
                .build();
    }

    /// What a client sent.
    ///
    /// @throws tools.jackson.core.JacksonException when the bytes are not one JSON value within the
    ///   limits, of which one is on how many values there are
    public static JsonNode parseRequest(byte[] bytes) {
        var tree = tree(REQUESTS, REQUESTS.createParser(bytes));
        if (Surrogates.mayBeIn(bytes)) {
            Surrogates.requirePairs(tree);
        }
        return tree;
    }

    /// What another server answered. It is strict UTF-8.
    ///
    /// @throws tools.jackson.core.JacksonException when the bytes are not one JSON value within the
    ///   limits, of which one is on how many values there are
    public static JsonNode parseAnswer(byte[] bytes) {
        StrictText.requireUtf8(bytes);
        var tree = tree(ANSWERS, ANSWERS.createParser(bytes));
        if (Surrogates.mayBeIn(bytes)) {
            Surrogates.requirePairs(tree);
        }
        return tree;
    }

    /// @throws tools.jackson.core.JacksonException when the bytes are not one JSON value within the
    ///   limits
    public static JsonNode parse(byte[] bytes) {
        return tree(MAPPER, MAPPER.createParser(bytes));
    }

    /// @throws tools.jackson.core.JacksonException when the text is not one JSON value within the
    ///   limits
    public static JsonNode parse(String text) {
        return tree(MAPPER, MAPPER.createParser(text));
    }

    /// Nothing at all is a missing node, which is no value.
    private static JsonNode tree(JsonMapper mapper, JsonParser parser) {
        try (var exact = new ExactNumbers(parser)) {
            JsonNode tree = mapper.readTree(exact);
            return tree == null ? MissingNode.getInstance() : tree;
        }
    }

    /// The text of an object without one of its members, which is passed over and never held.
    public static String without(String member, String object) {
        var rest = new StringWriter();
        try (var parser = MAPPER.createParser(object);
                var generator = MAPPER.createGenerator(rest)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException("not an object");
            }
            generator.writeStartObject();
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                if (parser.currentName().equals(member)) {
                    parser.nextToken();
                    parser.skipChildren();
                } else {
                    generator.copyCurrentStructure(parser);
                }
            }
            generator.writeEndObject();
        }
        return rest.toString();
    }

    /// Whether every text and name in a tree is one that UTF-8 can hold.
    public static boolean isWritable(JsonNode tree) {
        try {
            Surrogates.requirePairs(tree);
            return true;
        } catch (JacksonException half) {
            return false;
        }
    }

    /// @see JsonCopy
    static JsonCopy copy(
            InputStream from,
            OutputStream to,
            UnaryOperator<String> strings,
            UnaryOperator<String> numbers,
            int depthMax) {
        return new JsonCopy(
                MAPPER.reader()
                        .with(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                        .createParser(from),
                MAPPER.createGenerator(to),
                strings,
                numbers,
                depthMax);
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

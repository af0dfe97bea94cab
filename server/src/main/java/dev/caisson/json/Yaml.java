package dev.caisson.json;

import java.util.HashMap;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonPointer;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLMapper;

/// Reader of YAML, and so of JSON, that people write into files: values as JSON has them, and the
/// lines they stand in.
public final class Yaml {
    private static final YAMLMapper MAPPER =
            YAMLMapper.builder(
                            YAMLFactory.builder()
                                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                                    .build())
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build();

    private final JsonNode tree;
    private final Map<JsonPointer, Integer> lines;

    private Yaml(JsonNode tree, Map<JsonPointer, Integer> lines) {
        this.tree = tree;
        this.lines = lines;
    }

    /// Text that is no YAML.
    public static final class Malformed extends Exception {
        private static final long serialVersionUID = 1L;
        private final int line;

        private Malformed(int line) {
            super("not valid YAML" + (line > 0 ? " in line " + line : ""), null, false, false);
            this.line = line;
        }

        /// What is wrong, as a clause.
        public String problem() {
            return line > 0 ? "is not valid YAML in line " + line : "is not valid YAML";
        }
    }

    /// @throws Malformed when it is not one value, or has a name twice in a map
    public static Yaml parse(String text) throws Malformed {
        try {
            // Once more, so that no kind of value is left that JSON does not have.
            var tree = Json.parse(Json.bytes(MAPPER.readTree(text)));
            return new Yaml(tree, lines(text));
        } catch (JacksonException wrong) {
            var place = wrong.getLocation();
            throw new Malformed(place == null ? 0 : Math.max(0, place.getLineNr()));
        }
    }

    private static Map<JsonPointer, Integer> lines(String text) {
        var lines = new HashMap<JsonPointer, Integer>();
        try (JsonParser parser = MAPPER.createParser(text)) {
            for (var token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token != JsonToken.END_OBJECT && token != JsonToken.END_ARRAY) {
                    lines.putIfAbsent(
                            parser.streamReadContext().pathAsPointer(),
                            parser.currentTokenLocation().getLineNr());
                }
            }
        }
        return lines;
    }

    /// The value; missing when there is none.
    public JsonNode tree() {
        return tree;
    }

    /// The line in which a value begins, or what holds it where it has none.
    ///
    /// @param pointer to the value, such as `/0/when`
    public int line(JsonPointer pointer) {
        for (var at = pointer; at != null; at = at.head()) {
            var line = lines.get(at);
            if (line != null) {
                return line;
            }
        }
        return 1;
    }
}

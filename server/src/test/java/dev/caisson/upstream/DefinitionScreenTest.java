package dev.caisson.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.json.Json;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class DefinitionScreenTest {
    private static ObjectNode tool(String name, String schema) {
        var tool = Json.object().put("name", name);
        tool.set("inputSchema", Json.parse(schema));
        return tool;
    }

    private static String refusal(String schema) {
        return DefinitionScreen.refusal(tool("a", schema)).orElse("");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "A.b-c_9", "get_document", "__proto__", "-", "."})
    void names_of_ascii_are_taken(String name) {
        assertThat(DefinitionScreen.refusal(tool(name, "{\"type\": \"object\"}"))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a/b", "ä", "а", "a\u200b", "../x", "a\n"})
    void other_names_are_refused(String name) {
        assertThat(DefinitionScreen.refusal(tool(name, "{\"type\": \"object\"}")))
                .hasValueSatisfying(why -> assertThat(why).contains("Its name"));
    }

    @Test
    void a_name_has_128_characters_at_most() {
        assertThat(DefinitionScreen.refusal(tool("a".repeat(128), "{\"type\": \"object\"}")))
                .isEmpty();
        assertThat(DefinitionScreen.refusal(tool("a".repeat(129), "{\"type\": \"object\"}")))
                .isPresent();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"type\": \"string\"}|not one of an object",
                "{}|not one of an object",
                "true|not one of an object",
                "{\"type\": \"object\", \"$ref\": \"https://x.example/s\"}|refers to",
                "{\"type\": \"object\", \"properties\": {\"a\": {\"$ref\": \"file:///etc/passwd\"}}}|refers to",
                "{\"type\": \"object\", \"$schema\": \"https://x.example\"}|not known here",
                "{\"type\": \"object\", \"properties\": {\"a\": {\"pattern\": \"(\"}}}|cannot be used",
                "{\"type\": \"object\", \"properties\": {\"a\u200b\": {}}}|cannot be seen",
                "{\"type\": \"object\", \"properties\": {\"a\": {\"enum\": [\"x\u202e\"]}}}|cannot be seen",
                "{\"type\": \"object\", \"properties\": {\"a\": {\"default\": {\"k\u200b\": 1}}}}|cannot be seen",
                "{\"type\": \"object\", \"properties\": {\"a\": {\"type\": \"object\", \"x-mcp-header\": \"A\"}}}|x-mcp-header",
                "{\"type\": \"object\", \"properties\": {\"a\": {\"type\": \"number\", \"x-mcp-header\": \"A\"}}}|x-mcp-header",
                "{\"type\": \"object\", \"properties\": {\"a\": {\"type\": \"string\", \"x-mcp-header\": \"A b\"}}}|x-mcp-header",
                "{\"type\": \"object\", \"properties\": {\"a\": {\"type\": \"string\", \"x-mcp-header\": 1}}}|x-mcp-header",
                "{\"type\": \"object\", \"properties\": {\"a\": {\"type\": \"string\", \"x-mcp-header\": \"A\"}, \"b\": {\"type\": \"string\", \"x-mcp-header\": \"a\"}}}|x-mcp-header",
                "{\"type\": \"object\", \"properties\": {\"a\": {\"items\": {\"type\": \"string\", \"x-mcp-header\": \"A\"}}}}|x-mcp-header",
            })
    void schemas_that_cannot_be_checked_are_refused(String schema, String why) {
        assertThat(refusal(schema)).contains(why);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"type\": \"object\"}",
                "{\"type\": \"object\", \"$defs\": {\"n\": {\"properties\": {\"n\": {\"$ref\": \"#/$defs/n\"}}}}, \"properties\": {\"a\": {\"$ref\": \"#/$defs/n\"}}}",
                "{\"type\": \"object\", \"properties\": {\"a\": {\"type\": \"string\", \"x-mcp-header\": \"Region\"}, \"o\": {\"properties\": {\"b\": {\"type\": \"integer\", \"x-mcp-header\": \"Row\"}}}}}",
                "{\"type\": \"object\", \"$schema\": \"http://json-schema.org/draft-07/schema#\"}",
            })
    void sound_schemas_are_taken(String schema) {
        assertThat(refusal(schema)).isEmpty();
    }

    @Test
    void schemas_and_definitions_have_sizes() {
        var schema = "{\"type\":\"object\",\"description\":\"%s\"}";
        var most = DefinitionScreen.SCHEMA_BYTES_MAX - schema.length() + 2;
        assertThat(refusal(schema.formatted("x".repeat(most)))).isEmpty();
        assertThat(refusal(schema.formatted("x".repeat(most + 1)))).contains("is larger than");

        var large = tool("a", "{\"type\": \"object\"}");
        large.put("description", "x".repeat(DefinitionScreen.DEFINITION_BYTES_MAX));
        assertThat(DefinitionScreen.refusal(large))
                .hasValueSatisfying(why -> assertThat(why).contains("definition is larger"));
    }

    @Test
    void a_schema_of_a_thousand_branches_is_judged_within_a_bounded_time() {
        var branches = Json.array();
        for (var i = 0; i < 1000; i++) {
            branches.add(Json.object().put("pattern", "(a+)+$"));
        }
        var schema = Json.object().put("type", "object");
        schema.putObject("properties").putObject("a").set("anyOf", branches);
        var began = System.nanoTime();

        assertThat(refusal(Json.text(schema))).isEmpty();

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(30));
    }

    @Test
    void an_output_schema_is_screened_too() {
        var tool = tool("a", "{\"type\": \"object\"}");
        tool.put("outputSchema", "x");
        assertThat(DefinitionScreen.refusal(tool)).isPresent();
        tool.set("outputSchema", Json.object().put("$ref", "https://x.example"));
        assertThat(DefinitionScreen.refusal(tool)).isPresent();
        tool.set("outputSchema", Json.object().put("type", "object"));
        assertThat(DefinitionScreen.refusal(tool)).isEmpty();
    }
}

package dev.caisson.upstream.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.json.Json;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/// Arguments stand in headers where their schema may ask for it, and nowhere else.
class MirroredArgumentsTest {
    private static ObjectNode schema(String properties) {
        return (ObjectNode) Json.parse("{\"type\":\"object\",\"properties\":" + properties + "}");
    }

    @Test
    void values_stand_in_their_headers() {
        var schema =
                schema(
                        """
                        {"a":{"type":"string","x-mcp-header":"A"},
                         "n":{"type":"integer","x-mcp-header":"N"},
                         "b":{"type":"boolean","x-mcp-header":"B"},
                         "gone":{"type":"string","x-mcp-header":"Gone"},
                         "in":{"type":"object","properties":{"deep":{"type":"string","x-mcp-header":"Deep"}}},
                         "plain":{"type":"string"}}\
                        """);
        var arguments =
                (ObjectNode)
                        Json.parse(
                                """
                                {"a":"line\\nbreak","n":12345678901,"b":false,"gone":null,
                                 "in":{"deep":"d"},"plain":"p"}\
                                """);
        assertThat(MirroredArguments.complaint(schema)).isEmpty();
        assertThat(MirroredArguments.headers(schema, arguments))
                .containsOnly(
                        Map.entry("Mcp-Param-A", "=?base64?bGluZQpicmVhaw==?="),
                        Map.entry("Mcp-Param-N", "12345678901"),
                        Map.entry("Mcp-Param-B", "false"),
                        Map.entry("Mcp-Param-Deep", "d"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":{\"type\":\"string\",\"x-mcp-header\":\"\"}}",
                "{\"a\":{\"type\":\"string\",\"x-mcp-header\":7}}",
                "{\"a\":{\"type\":\"string\",\"x-mcp-header\":\"A B\"}}",
                "{\"a\":{\"type\":\"string\",\"x-mcp-header\":\"A:\"}}",
                "{\"a\":{\"type\":\"string\",\"x-mcp-header\":\"A\\r\\nB\"}}",
                "{\"a\":{\"type\":\"object\",\"x-mcp-header\":\"A\"}}",
                "{\"a\":{\"type\":\"number\",\"x-mcp-header\":\"A\"}}",
                "{\"a\":{\"x-mcp-header\":\"A\"}}",
                "{\"a\":{\"type\":\"string\",\"x-mcp-header\":\"A\"},\"b\":{\"type\":\"string\",\"x-mcp-header\":\"a\"}}",
                "{\"a\":{\"type\":\"array\",\"items\":{\"type\":\"string\",\"x-mcp-header\":\"A\"}}}",
            })
    void a_schema_that_asks_for_what_cannot_be_is_complained_about(String properties) {
        assertThat(MirroredArguments.complaint(schema(properties))).isPresent();
        assertThat(MirroredArguments.headers(schema(properties), Json.object().put("a", "x")))
                .isEmpty();
    }
}

package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.json.Json;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Sessions as a client of the protocol sees them, from its request over HTTP to a real sandbox.
class LiveSessionTest extends ProductTestCase {

    LiveSessionTest() {
        super("auth.enabled=false");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    python     | x = 41               | print(x + 1)
                    node       | const x = 41         | console.log(x + 1)
                    typescript | const x: number = 41 | console.log(x + 1)
                    bash       | x=41                 | echo $((x + 1))
                    """)
    void a_client_finds_what_its_last_call_left(String language, String first, String then)
            throws Exception {
        assertThat(state(execute(language, first))).isEqualTo("new");
        var kept = execute(language, then);
        assertThat(kept.get("stdout").stringValue()).isEqualTo("42\n");
        assertThat(state(kept)).isEqualTo("kept");
        assertThat(metric()).isPositive();

        var reset = call("session_reset", Json.object().put("thread_id", language));
        assertThat(Json.text(reset.get("ended"))).isEqualTo("[\"" + language + "\"]");
        assertThat(state(execute(language, first))).isEqualTo("restarted");
        call("session_reset", Json.object().put("thread_id", language));
    }

    @Test
    void the_description_says_what_is_kept() throws Exception {
        var tools = ask("tools/list", Json.object()).get("tools");
        var described =
                tools.valueStream()
                        .filter(tool -> tool.get("name").stringValue().equals("sandbox_execute"))
                        .findFirst()
                        .orElseThrow();
        assertThat(described.get("description").stringValue())
                .contains("variables, imports and background processes", "until 600 s pass");
    }

    private JsonNode execute(String language, String code) throws Exception {
        return call(
                "sandbox_execute",
                Json.object()
                        .put("language", language)
                        .put("code", code)
                        .put("thread_id", language)
                        .put("session", true));
    }

    private static String state(JsonNode report) {
        return report.get("session").get("state").stringValue();
    }

    private JsonNode call(String tool, ObjectNode arguments) throws Exception {
        return ask("tools/call", McpMessages.tool(tool, arguments)).get("structuredContent");
    }

    private JsonNode ask(String method, ObjectNode params) throws Exception {
        var answer = product.send(McpMessages.modern(product.open("/mcp"), method, params));
        return McpMessages.response(answer.body()).get("result");
    }

    private double metric() throws Exception {
        var request = HttpRequest.newBuilder(product.server.address().resolve("/metrics")).build();
        return product.http
                .send(request, BodyHandlers.ofString())
                .body()
                .lines()
                .filter(line -> line.startsWith("caisson_sessions_active "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' '))))
                .findFirst()
                .orElseThrow();
    }
}

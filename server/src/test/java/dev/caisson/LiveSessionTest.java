package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.config.Effective;
import dev.caisson.config.Given;
import dev.caisson.config.Sources;
import dev.caisson.json.Json;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Sessions as a client of the protocol sees them, from its request over HTTP to a real sandbox.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LiveSessionTest {
    private final HttpClient http = HttpClient.newHttpClient();
    private Server server;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        var flags =
                List.of(
                        Given.flag("http.port", "0", "--set"),
                        Given.flag("auth.enabled", "false", "--set"),
                        Given.flag(
                                "data.directory", directory.resolve("data").toString(), "--set"));
        var sources = new Sources(Optional.empty(), Map.of(), flags, directory, false);
        server = Server.start(Effective.read(sources).config(), Clock.systemUTC());
    }

    @AfterAll
    void stop() {
        server.close();
        http.shutdownNow();
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
                .contains(
                        "variables, functions, imports, working directory", "600 s without a call");
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
        var parameters = Json.object().put("name", tool);
        parameters.set("arguments", arguments);
        return ask("tools/call", parameters, "Mcp-Name", tool).get("structuredContent");
    }

    private JsonNode ask(String method, ObjectNode parameters, String... headers) throws Exception {
        parameters
                .putObject("_meta")
                .put("io.modelcontextprotocol/protocolVersion", "2026-07-28")
                .putObject("io.modelcontextprotocol/clientCapabilities");
        var message = Json.object().put("jsonrpc", "2.0").put("id", 1).put("method", method);
        message.set("params", parameters);
        var request =
                HttpRequest.newBuilder(server.address().resolve("/mcp"))
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/json, text/event-stream")
                        .header("MCP-Protocol-Version", "2026-07-28")
                        .header("Mcp-Method", method)
                        .POST(BodyPublishers.ofString(Json.text(message)));
        if (headers.length > 0) {
            request.headers(headers);
        }
        var answer = http.send(request.build(), BodyHandlers.ofString()).body();
        var json = answer.startsWith("{") ? answer : lastData(answer);
        return Json.parse(json).get("result");
    }

    private static String lastData(String stream) {
        return stream.lines()
                .filter(line -> line.startsWith("data: {"))
                .map(line -> line.substring("data: ".length()))
                .reduce((_, last) -> last)
                .orElseThrow();
    }

    private double metric() throws Exception {
        var request = HttpRequest.newBuilder(server.address().resolve("/metrics")).build();
        return http.send(request, BodyHandlers.ofString())
                .body()
                .lines()
                .filter(line -> line.startsWith("caisson_sessions_active "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' '))))
                .findFirst()
                .orElseThrow();
    }
}

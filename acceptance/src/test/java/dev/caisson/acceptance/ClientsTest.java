package dev.caisson.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.acceptance.FixtureServer.Setting;
import dev.caisson.acceptance.judge.Judges;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// Real clients list the tools and call one, over HTTP with a key and over stdio.
@Tag("browser")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ClientsTest {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final String INSPECTOR =
            "@modelcontextprotocol/inspector/clients/launcher/build/index.js";

    private final Judges judges = Judges.ready();
    private final FixtureServer engine = FixtureServer.start(Setting.KEYS);

    @AfterAll
    void stop() {
        engine.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"legacy", "auto", "modern"})
    void the_inspector_finds_nothing_wrong_with_the_list_in_any_era(String era) {
        var listed = inspect(era, "--method", "tools/list", "--strict");
        assertThat(listed.valueStream().map(tool -> tool.path("name").asString()))
                .contains("test_add")
                .hasSizeGreaterThan(40);
    }

    @ParameterizedTest
    @ValueSource(strings = {"legacy", "auto", "modern"})
    void the_inspector_calls_a_tool_in_any_era(String era) {
        var called =
                inspect(
                        era,
                        "--method",
                        "tools/call",
                        "--tool-name",
                        "test_add",
                        "--tool-args-json",
                        "{\"a\":1,\"b\":2}");
        assertThat(called.path("structuredContent").path("sum").asDouble()).isEqualTo(3);
    }

    private JsonNode inspect(String era, String... what) {
        var arguments = new ArrayList<>(List.of("--cli", engine.endpoint().toString()));
        arguments.addAll(List.of("--protocol-era", era, "--format", "json"));
        arguments.addAll(List.of("--header", "Authorization: Bearer " + engine.key("alice")));
        arguments.addAll(List.of(what));
        var ended = judges.packaged(INSPECTOR, arguments, LIMIT).expect(0);
        var answer = Json.parse(ended.out().strip());
        var result = answer.has("result") ? answer.path("result") : answer;
        return result.has("tools") ? result.path("tools") : result;
    }

    @Test
    void the_typescript_sdk_v1_lists_and_calls_over_http() {
        check("v1.mjs", List.of(engine.endpoint().toString(), engine.key("alice")));
    }

    @Test
    void the_typescript_sdk_v1_lists_and_calls_over_stdio() {
        check("v1.mjs", stdio());
    }

    @ParameterizedTest
    @ValueSource(strings = {"legacy", "auto", "modern"})
    void the_typescript_sdk_v2_lists_and_calls_over_http_in_any_era(String era) {
        check("v2.mjs", List.of(era, engine.endpoint().toString(), engine.key("alice")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"legacy", "auto"})
    void the_typescript_sdk_v2_lists_and_calls_over_stdio(String era) {
        check("v2.mjs", Stream.concat(Stream.of(era), stdio().stream()).toList());
    }

    private static List<String> stdio() {
        return Stream.concat(Stream.of("--stdio"), FixtureServer.stdio().stream()).toList();
    }

    private void check(String script, List<String> arguments) {
        var said = Json.parse(judges.script(script, arguments, LIMIT).expect(0).out().strip());
        assertThat(said.path("tools").asInt()).isGreaterThan(40);
        assertThat(said.path("sum").asDouble()).isEqualTo(3);
    }

    @Test
    void the_java_sdk_lists_and_calls_over_http() {
        var address = "http://localhost:" + engine.port();
        var request =
                HttpRequest.newBuilder().header("Authorization", "Bearer " + engine.key("alice"));
        check(HttpClientStreamableHttpTransport.builder(address).requestBuilder(request).build());
    }

    @Test
    void the_java_sdk_lists_and_calls_over_stdio() {
        var command = FixtureServer.stdio();
        var parameters =
                ServerParameters.builder(command.getFirst())
                        .args(command.subList(1, command.size()))
                        .build();
        check(new StdioClientTransport(parameters, McpJsonDefaults.getMapper()));
    }

    private static void check(McpClientTransport transport) {
        try (var client = McpClient.sync(transport).requestTimeout(LIMIT).build()) {
            client.initialize();
            assertThat(client.listTools().tools()).hasSizeGreaterThan(40);
            var result =
                    client.callTool(
                            CallToolRequest.builder("test_add")
                                    .arguments(Map.of("a", 1, "b", 2))
                                    .build());
            assertThat(Json.tree(result.structuredContent()).path("sum").asDouble()).isEqualTo(3);
        }
    }
}

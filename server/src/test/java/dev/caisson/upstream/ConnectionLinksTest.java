package dev.caisson.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Deadline;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.ToolErrorType;
import dev.caisson.egress.OutgoingHttp;
import dev.caisson.egress.RawHttpServer;
import dev.caisson.json.Json;
import dev.caisson.telemetry.LogCapture;
import dev.caisson.upstream.connection.CallOptions;
import dev.caisson.upstream.connection.Era;
import dev.caisson.upstream.connection.StdioProcess;
import dev.caisson.upstream.connection.UpstreamFailure;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.node.ObjectNode;

/// Links over real connections.
@Timeout(60)
final class ConnectionLinksTest {
    private static final String TOKEN = "hunter2hunter2";

    private final OutgoingHttp http = new OutgoingHttp(Set.of("127.0.0.1"));
    private final List<Map<String, String>> started = new CopyOnWriteArrayList<>();
    private final List<ConnectionLinks.Place> places = new CopyOnWriteArrayList<>();
    private RawHttpServer server;

    @BeforeEach
    void open() throws IOException {
        server = new RawHttpServer(ConnectionLinksTest::answer);
    }

    @AfterEach
    void close() throws IOException {
        http.close();
        server.close();
    }

    /// An upstream of the handshake that sends back the credentials it got.
    private static void answer(RawHttpServer.Request request, OutputStream out) throws IOException {
        if (!request.method().equals("POST")) {
            out.write(RawHttpServer.answer(405, "text/plain", ""));
            return;
        }
        var message = Json.parse(request.body());
        var answer = Json.object().put("jsonrpc", "2.0");
        answer.set("id", message.path("id"));
        var method = message.path("method").asString("");
        switch (request.header("x-mood").isEmpty() ? method : method + " in vain") {
            case "initialize in vain" ->
                    answer.putObject("error")
                            .put("code", -32000)
                            .put("message", "\u001b[31mno " + request.header("authorization"));
            case "initialize" -> {
                var result = answer.putObject("result").put("protocolVersion", "2025-11-25");
                result.putObject("capabilities").putObject("tools");
                result.putObject("serverInfo").put("name", "echo").put("version", "1");
            }
            case "tools/list" ->
                    answer.putObject("result").putArray("tools").add(FakeLinks.tool("get", "x"));
            case "tools/call" ->
                    answer.set(
                            "result",
                            FakeLinks.text("you sent " + request.header("authorization")));
            default -> {
                if (!message.has("id")) {
                    out.write(RawHttpServer.answer(202, "text/plain", ""));
                    return;
                }
                answer.putObject("error").put("code", -32000).put("message", "what?");
                out.write(RawHttpServer.answer(400, "application/json", Json.bytes(answer)));
                return;
            }
        }
        out.write(RawHttpServer.answer(200, "application/json", Json.bytes(answer)));
    }

    private UpstreamLink link(String entry, UnaryOperator<String> vault, List<UpstreamFailure> why)
            throws UpstreamMistakes {
        var settings = UpstreamReader.read("a", (ObjectNode) Json.parse(entry));
        return new ConnectionLinks(
                        http,
                        (place, command, env) -> {
                            started.add(env);
                            places.add(place);
                            throw why.getFirst();
                        },
                        1 << 20)
                .open(settings, new CredentialValues(settings, vault), Optional.empty(), () -> {});
    }

    /// A program that writes to its standard error and ends.
    private record EndedProcess(String recentErrors) implements StdioProcess {
        @Override
        public OutputStream in() {
            return OutputStream.nullOutputStream();
        }

        @Override
        public InputStream out() {
            return InputStream.nullInputStream();
        }

        @Override
        public void stop() {
            // It has ended.
        }
    }

    @Test
    void what_a_command_wrote_before_it_ended_is_in_the_log_without_the_credentials()
            throws Exception {
        var settings =
                UpstreamReader.read(
                        "a",
                        (ObjectNode)
                                Json.parse(
                                        "{\"command\": [\"x\"], \"credentials\": {\"kind\": \"env\", \"env\": {\"T\": \"${secret:t}\"}}}"));
        var ended = new EndedProcess("starting\nno licence for \u001b" + TOKEN + "\n");
        try (var log = new LogCapture();
                var link =
                        new ConnectionLinks(http, (_, _, _) -> ended, 1 << 20)
                                .open(
                                        settings,
                                        new CredentialValues(settings, _ -> TOKEN),
                                        Optional.empty(),
                                        () -> {})) {
            assertThatThrownBy(() -> link.listTools(soon()))
                    .hasMessageContaining("ended; the log of this server has what it wrote")
                    .hasMessageNotContaining("licence");
            assertThat(log.text())
                    .contains("the upstream a failed to start", "no licence for")
                    .doesNotContain(TOKEN, "\u001b");
        }
    }

    @Test
    void a_private_address_is_refused_with_the_name_of_the_setting() throws Exception {
        try (var strict = new OutgoingHttp(Set.of())) {
            var settings = UpstreamReader.read("a", (ObjectNode) Json.parse(entry()));
            try (var link =
                    new ConnectionLinks(strict, (_, _, _) -> new EndedProcess(""), 1 << 20)
                            .open(
                                    settings,
                                    new CredentialValues(settings, _ -> TOKEN),
                                    Optional.empty(),
                                    () -> {})) {
                assertThatThrownBy(() -> link.listTools(soon()))
                        .hasMessageContaining("upstreams.private_hosts must name it");
            }
        }
    }

    private String entry() {
        return "{\"url\": \"%s\", \"credentials\": {\"kind\": \"header\", \"headers\": {\"Authorization\": \"Bearer ${secret:t}\"}}}"
                .formatted(server.address("/mcp"));
    }

    @Test
    void why_there_is_no_connection_is_told_without_the_credentials() throws Exception {
        var moody = entry().replace("\"headers\": {", "\"headers\": {\"X-Mood\": \"bad\", ");
        try (var link = link(moody, _ -> TOKEN, List.of())) {
            assertThatThrownBy(() -> link.listTools(soon()))
                    .hasMessageContaining("does not begin a connection: [31mno [REDACTED")
                    .hasMessageNotContaining(TOKEN);
            assertThat(link.trouble().orElseThrow())
                    .contains("does not begin a connection")
                    .doesNotContain(TOKEN, "\u001b");
        }
    }

    private static Deadline soon() {
        return Deadline.in(Duration.ofSeconds(30));
    }

    @Test
    void a_link_lists_and_calls_with_the_credentials_of_the_operator() throws Exception {
        try (var link = link(entry(), _ -> TOKEN, List.of())) {
            assertThat(link.listTools(soon())).containsExactly(FakeLinks.tool("get", "x"));
            assertThat(link.era()).contains(Era.LEGACY);
            assertThat(link.trouble()).isEmpty();

            var result = link.callTool("key:1", "get", Json.object(), CallOptions.reading(soon()));

            assertThat(Json.text(result.result())).contains("you sent Bearer " + TOKEN);
        }
    }

    @Test
    void a_secret_that_is_missing_is_a_failure_with_the_remedy() throws Exception {
        UnaryOperator<String> vault =
                name -> {
                    throw new Refusal(Reason.NOT_FOUND, "There is no secret " + name + ".");
                };
        try (var link = link(entry(), vault, List.of())) {
            assertThatThrownBy(() -> link.listTools(soon()))
                    .isInstanceOfSatisfying(
                            UpstreamFailure.class,
                            failure -> {
                                assertThat(failure.type())
                                        .isEqualTo(ToolErrorType.UPSTREAM_UNAVAILABLE);
                                assertThat(failure.sentence()).contains("There is no secret t.");
                            });
            assertThat(server.requests()).isEmpty();
        }
    }

    @Test
    void a_command_is_started_with_its_environment() throws Exception {
        var refused = new UpstreamFailure(ToolErrorType.UPSTREAM_UNAVAILABLE, false, "Not today.");
        try (var link =
                link(
                        "{\"command\": [\"node\"], \"env\": {\"A\": \"x${secret:t}\", \"B\": \"y\"}}",
                        _ -> TOKEN,
                        List.of(refused))) {
            assertThatThrownBy(() -> link.listTools(soon())).hasMessageContaining("Not today.");
            assertThat(started).contains(Map.of("A", "x" + TOKEN, "B", "y"));
        }
    }

    private static final String OWN =
            "\"per\": \"caller\", \"credentials\": {\"kind\": \"header\", \"headers\": {\"Authorization\": \"Bearer ${caller:t}\"}}}";

    private static String vault(String name) {
        return switch (name) {
            case "t" -> "of-the-server";
            case "t--0123456789abcdef" -> "of-the-first";
            case "t--local" -> "of-the-local-user";
            default -> throw new Refusal(Reason.NOT_FOUND, "There is no secret " + name + ".");
        };
    }

    private String said(UpstreamLink link, String caller) throws Exception {
        return Json.text(
                link.callTool(caller, "get", Json.object(), CallOptions.reading(soon())).result());
    }

    private long begun() {
        return server.requests().stream()
                .filter(request -> request.method().equals("POST"))
                .filter(request ->
                        Json.parse(request.body()).path("method").asString("").equals("initialize"))
                .count();
    }

    @Test
    void each_caller_has_a_connection_and_credentials_of_its_own() throws Exception {
        var entry = "{\"url\": \"" + server.address("/mcp") + "\", " + OWN;
        try (var link = link(entry, ConnectionLinksTest::vault, List.of())) {
            link.listTools(soon());
            assertThat(begun()).isEqualTo(1);
            assertThat(said(link, "key:0123456789abcdef")).contains("Bearer of-the-first");
            assertThat(said(link, "local")).contains("Bearer of-the-local-user");
            assertThat(said(link, "key:0123456789abcdef")).contains("Bearer of-the-first");
            assertThat(begun()).isEqualTo(3);
            var before = server.requests().size();
            for (var stranger : List.of("key:fedcba9876543210", "key:", "t--local", "../local")) {
                assertThatThrownBy(() -> said(link, stranger))
                        .isInstanceOfSatisfying(
                                UpstreamFailure.class,
                                failure -> {
                                    assertThat(failure.type())
                                            .isEqualTo(ToolErrorType.AUTHORIZATION_REQUIRED);
                                    assertThat(failure.sentence())
                                            .contains("no credentials of this key", "t--");
                                });
            }
            assertThat(server.requests()).hasSize(before);
            link.restart();
            assertThat(said(link, "local")).contains("Bearer of-the-local-user");
            assertThat(begun()).isEqualTo(4);
        }
    }

    @Test
    void the_one_that_is_unused_for_longest_gives_way_to_the_next_caller() throws Exception {
        var entry = "{\"url\": \"" + server.address("/mcp") + "\", \"per\": \"caller\"}";
        try (var link = link(entry, ConnectionLinksTest::vault, List.of())) {
            for (int i = 0; i < CallerLinks.CALLERS_MAX; i++) {
                said(link, "key:" + i);
            }
            said(link, "key:0");
            assertThat(begun()).isEqualTo(CallerLinks.CALLERS_MAX);
            said(link, "key:next");
            assertThat(((CallerLinks) link).callers()).isEqualTo(CallerLinks.CALLERS_MAX);
            said(link, "key:0");
            assertThat(begun()).isEqualTo(CallerLinks.CALLERS_MAX + 1);
            said(link, "key:1");
            assertThat(begun()).isEqualTo(CallerLinks.CALLERS_MAX + 2);
        }
    }

    @Test
    void a_command_of_each_caller_has_a_place_of_its_own() throws Exception {
        var refused = new UpstreamFailure(ToolErrorType.UPSTREAM_UNAVAILABLE, false, "Not today.");
        var entry =
                "{\"command\": [\"node\"], \"per\": \"caller\", \"env\": {\"A\": \"${caller:t}\"}}";
        try (var link = link(entry, ConnectionLinksTest::vault, List.of(refused))) {
            assertThatThrownBy(() -> link.listTools(soon())).hasMessageContaining("Not today.");
            assertThatThrownBy(() -> said(link, "local")).hasMessageContaining("Not today.");
            assertThat(started)
                    .contains(Map.of("A", "of-the-server"), Map.of("A", "of-the-local-user"));
            assertThat(places)
                    .contains(
                            new ConnectionLinks.Place("a", Optional.empty()),
                            new ConnectionLinks.Place("a", Optional.of("local")));
        }
    }
}

package dev.caisson.upstream.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.caisson.call.Deadline;
import dev.caisson.call.ToolErrorType;
import dev.caisson.egress.OutgoingHttp;
import dev.caisson.egress.RawHttpServer;
import dev.caisson.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/// Over HTTP the era is found out by what the server says, and what HTTP itself can do to a client
/// does not happen.
@Timeout(120)
class HttpConnectorTest {
    private static final int RESULT_BYTES_MAX = 1 << 20;
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final String TYPE = "application/json";

    private final OutgoingHttp http = new OutgoingHttp(Set.of("127.0.0.1"));
    private final ReadBudget budget = new ReadBudget(64L << 20);

    @AfterEach
    void close() {
        http.close();
    }

    private HttpConnector connector(RawHttpServer server, HttpConnector.Kind kind) {
        return new HttpConnector(
                "fake",
                http,
                server.address("/mcp"),
                kind,
                Map.of("Authorization", "Bearer of-the-operator"),
                RESULT_BYTES_MAX,
                budget,
                false);
    }

    private Connection connect(RawHttpServer server) throws Exception {
        return connector(server, HttpConnector.Kind.AUTO)
                .connect(Optional.empty(), Deadline.in(SOON));
    }

    private UpstreamFailure failure(RawHttpServer server) {
        return catchThrowableOfType(UpstreamFailure.class, () -> connect(server));
    }

    static ObjectNode message(RawHttpServer.Request request) {
        return (ObjectNode) Json.parse(request.body());
    }

    static String method(RawHttpServer.Request request) {
        return request.method().equals("POST")
                ? message(request).path("method").stringValue("")
                : request.method();
    }

    private static void say(OutputStream out, int status, ObjectNode message) throws IOException {
        out.write(RawHttpServer.answer(status, TYPE, Json.bytes(message)));
    }

    private static ObjectNode discovered(ObjectNode request, boolean changes) {
        return FakeUpstream.result(
                request,
                """
                {"resultType":"complete","supportedVersions":["2026-07-28"],
                 "capabilities":{"tools":{"listChanged":%s}},"ttlMs":0,"cacheScope":"public",
                 "_meta":{"io.modelcontextprotocol/serverInfo":{"name":"new","version":"2"}}}\
                """
                        .formatted(changes));
    }

    /// A server of the newest era alone.
    static void modern(RawHttpServer.Request request, OutputStream out) throws IOException {
        switch (method(request)) {
            case "server/discover" -> say(out, 200, discovered(message(request), false));
            case "tools/call" -> say(out, 200, FakeUpstream.text(message(request), "ok"));
            default ->
                    say(out, 404, FakeUpstream.error(message(request), -32601, "Method not found"));
        }
    }

    @Test
    void the_newest_era_is_spoken_with_who_speaks_it() throws Exception {
        try (var server = new RawHttpServer(HttpConnectorTest::modern);
                var connection = connect(server)) {
            assertThat(connection.about().era()).isEqualTo(Era.MODERN);
            assertThat(connection.about().name()).isEqualTo("new");
            var schema =
                    (ObjectNode)
                            Json.parse(
                                    """
                                    {"type":"object","properties":{
                                     "region":{"type":"string","x-mcp-header":"Region"},
                                     "count":{"type":"integer","x-mcp-header":"Count"},
                                     "absent":{"type":"string","x-mcp-header":"Absent"}}}\
                                    """);
            var arguments = Json.object().put("region", "öst").put("count", 7);
            var options =
                    new CallOptions(
                            Deadline.in(SOON),
                            false,
                            Optional.of("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"),
                            Optional.of("exe_1.7"),
                            Optional.of(schema),
                            () -> {},
                            _ -> {},
                            CallDialogue.NONE);
            connection.callTool("näme", arguments, options);

            var call = server.requests().getLast();
            assertThat(call.header("MCP-Protocol-Version")).isEqualTo("2026-07-28");
            assertThat(call.header("Mcp-Method")).isEqualTo("tools/call");
            assertThat(call.header("Mcp-Name")).isEqualTo("=?base64?bsOkbWU=?=");
            assertThat(call.header("Mcp-Param-Region")).isEqualTo("=?base64?w7ZzdA==?=");
            assertThat(call.header("Mcp-Param-Count")).isEqualTo("7");
            assertThat(call.headers()).doesNotContainKeys("mcp-param-absent", "mcp-session-id");
            assertThat(call.header("traceparent")).startsWith("00-0af7");
            assertThat(call.header("authorization")).isEqualTo("Bearer of-the-operator");
            assertThat(call.header("accept")).isEqualTo("application/json, text/event-stream");
            var meta = message(call).path("params").path("_meta");
            assertThat(meta.path("io.modelcontextprotocol/protocolVersion").stringValue(""))
                    .isEqualTo("2026-07-28");
            assertThat(meta.path("io.modelcontextprotocol/clientCapabilities").isObject()).isTrue();
            assertThat(meta.path("traceparent").stringValue("")).startsWith("00-0af7");
            assertThat(meta.path("dev.caisson/idempotencyKey").stringValue(""))
                    .isEqualTo("exe_1.7");
            assertThat(call.header("Idempotency-Key")).isEqualTo("exe_1.7");
        }
    }

    @Test
    void a_resource_is_read_by_its_uri() throws Exception {
        var contents = new AtomicReference<>("{\"contents\":[{\"uri\":\"a://b\",\"text\":\"t\"}]}");
        try (var server =
                        new RawHttpServer((request, out) -> {
                            if (message(request)
                                    .path("method")
                                    .asString("")
                                    .equals("resources/read")) {
                                var answer = Json.object().put("jsonrpc", "2.0");
                                answer.set("id", message(request).path("id"));
                                answer.set("result", Json.parse(contents.get()));
                                say(out, 200, answer);
                            } else {
                                modern(request, out);
                            }
                        });
                var connection = connect(server)) {
            var options = CallOptions.reading(Deadline.in(SOON));
            var read = connection.readResource("a://b", options);

            assertThat(read.result().path("contents")).hasSize(1);
            var call = server.requests().getLast();
            assertThat(call.header("Mcp-Method")).isEqualTo("resources/read");
            assertThat(call.header("Mcp-Name")).isEqualTo("a://b");
            assertThat(message(call).path("params").path("uri").stringValue("")).isEqualTo("a://b");
            contents.set("{\"content\":[]}");
            assertThatThrownBy(() -> connection.readResource("a://b", options))
                    .isInstanceOf(UpstreamFailure.class);
        }
    }

    @Test
    void a_known_era_is_not_asked_for_again() throws Exception {
        try (var server = new RawHttpServer(legacy(true));
                var connection =
                        connector(server, HttpConnector.Kind.AUTO)
                                .connect(Optional.of(Era.LEGACY), Deadline.in(SOON))) {
            assertThat(connection.about().era()).isEqualTo(Era.LEGACY);
            assertThat(server.requests())
                    .extracting(HttpConnectorTest::method)
                    .startsWith("initialize", "notifications/initialized");
        }
    }

    /// A server of the older eras, which gives a session.
    static RawHttpServer.Handler legacy(boolean changes) {
        return (request, out) -> {
            switch (method(request)) {
                case "server/discover" ->
                        say(out, 400, FakeUpstream.error(message(request), -32000, "no session"));
                case "initialize" ->
                        out.write(
                                RawHttpServer.answer(
                                        200,
                                        TYPE,
                                        Json.bytes(
                                                FakeUpstream.result(
                                                        message(request),
                                                        """
                                                        {"protocolVersion":"2025-06-18",
                                                         "capabilities":{"tools":{"listChanged":%s}},
                                                         "serverInfo":{"name":"old","version":"1"}}\
                                                        """
                                                                .formatted(changes))),
                                        "Mcp-Session-Id: s-1",
                                        "Set-Cookie: a=b"));
                case "tools/call" -> say(out, 200, FakeUpstream.text(message(request), "ok"));
                case "GET" -> {
                    out.write(
                            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
                                    .getBytes(StandardCharsets.US_ASCII));
                    out.write(
                            "id: 4\nretry: 1000\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n\n"
                                    .getBytes(StandardCharsets.US_ASCII));
                    out.flush();
                    throw new IOException("the stream ends");
                }
                default -> out.write(RawHttpServer.answer(202, "text/plain", ""));
            }
        };
    }

    @Test
    void an_older_server_gets_a_handshake_and_its_session_back() throws Exception {
        try (var server = new RawHttpServer(legacy(false))) {
            try (var connection = connect(server)) {
                assertThat(connection.about().era()).isEqualTo(Era.LEGACY);
                assertThat(connection.about().revision().word()).isEqualTo("2025-06-18");
                connection.callTool("run", Json.object(), CallOptions.reading(Deadline.in(SOON)));
            }
            await(() -> server.requests().getLast().method().equals("DELETE"));
            assertThat(server.requests())
                    .extracting(HttpConnectorTest::method)
                    .containsExactly(
                            "server/discover",
                            "initialize",
                            "notifications/initialized",
                            "tools/call",
                            "DELETE");
            assertThat(server.requests().subList(2, 5))
                    .allSatisfy(each -> {
                        assertThat(each.header("Mcp-Session-Id")).isEqualTo("s-1");
                        assertThat(each.header("MCP-Protocol-Version")).isEqualTo("2025-06-18");
                        assertThat(each.headers()).doesNotContainKey("cookie");
                    });
        }
    }

    @Test
    void a_change_of_the_list_is_heard_on_the_stream_of_the_older_eras() throws Exception {
        try (var server = new RawHttpServer(legacy(true));
                var connection = connect(server)) {
            var heard = new CountDownLatch(1);
            connection.onListChanged(heard::countDown);
            assertThat(heard.await(30, TimeUnit.SECONDS)).isTrue();
            await(() ->
                    server.requests().stream()
                            .anyMatch(each ->
                                    each.method().equals("GET")
                                            && each.header("Last-Event-ID").equals("4")));
        }
    }

    @Test
    void a_change_of_the_list_is_heard_on_a_subscription_of_the_newest_era() throws Exception {
        try (var server =
                        new RawHttpServer((request, out) -> {
                            switch (method(request)) {
                                case "server/discover" ->
                                        say(out, 200, discovered(message(request), true));
                                case "subscriptions/listen" -> {
                                    out.write(
                                            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
                                                    .getBytes(StandardCharsets.US_ASCII));
                                    while (true) {
                                        out.write(
                                                "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n\n"
                                                        .getBytes(StandardCharsets.US_ASCII));
                                        out.flush();
                                        Thread.sleep(100);
                                    }
                                }
                                default -> out.write(RawHttpServer.answer(404, "text/plain", ""));
                            }
                        });
                var connection = connect(server)) {
            var heard = new CountDownLatch(1);
            connection.onListChanged(heard::countDown);
            assertThat(heard.await(30, TimeUnit.SECONDS)).isTrue();
            var listen = server.requests().getLast();
            assertThat(
                            message(listen)
                                    .path("params")
                                    .path("notifications")
                                    .path("toolsListChanged")
                                    .booleanValue(false))
                    .isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 429, 500, 503, 302})
    void a_status_that_says_nothing_of_the_era_ends_the_search(int status) throws Exception {
        try (var server =
                new RawHttpServer((_, out) ->
                        out.write(
                                RawHttpServer.answer(
                                        status, "text/plain", "", "Location: /elsewhere")))) {
            var failure = failure(server);
            assertThat(failure.type())
                    .isEqualTo(
                            status == 401
                                    ? ToolErrorType.AUTHORIZATION_REQUIRED
                                    : ToolErrorType.UPSTREAM_UNAVAILABLE);
            assertThat(server.requests()).hasSize(1);
            if (status == 302) {
                assertThat(failure.sentence()).contains("redirect");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-32020", "-32021", "-32022"})
    void an_error_of_the_newest_era_is_no_reason_to_go_back(String code) throws Exception {
        try (var server =
                new RawHttpServer((request, out) ->
                        say(
                                out,
                                400,
                                FakeUpstream.error(
                                        message(request), Integer.parseInt(code), "no")))) {
            try (var connection = connect(server)) {
                assertThat(connection.about().era()).isEqualTo(Era.MODERN);
            }
            assertThat(server.requests()).hasSize(1);
        }
    }

    @Test
    void one_that_refuses_a_revision_and_names_it_is_spoken_to_in_it() throws Exception {
        try (var server =
                        new RawHttpServer((request, out) -> {
                            if (method(request).equals("tools/call")) {
                                say(out, 200, FakeUpstream.text(message(request), "ok"));
                            } else {
                                var error = FakeUpstream.error(message(request), -32022, "other");
                                error.withObject("/error/data")
                                        .putArray("supported")
                                        .add("2025-11-25")
                                        .add("2026-07-28");
                                say(out, 400, error);
                            }
                        });
                var connection = connect(server)) {
            assertThat(connection.about().era()).isEqualTo(Era.MODERN);
            connection.callTool("run", Json.object(), CallOptions.reading(Deadline.in(SOON)));
        }
    }

    @Test
    void one_of_the_newest_era_without_discovery_is_spoken_to_in_it() throws Exception {
        try (var server =
                        new RawHttpServer((request, out) -> {
                            if (method(request).equals("tools/call")) {
                                say(out, 200, FakeUpstream.text(message(request), "ok"));
                            } else {
                                say(out, 404, FakeUpstream.error(message(request), -32601, "no"));
                            }
                        });
                var connection = connect(server)) {
            assertThat(connection.about().era()).isEqualTo(Era.MODERN);
            connection.callTool("run", Json.object(), CallOptions.reading(Deadline.in(SOON)));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>",
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
                "NOT HTTP\r\n\r\n",
            })
    void what_is_no_answer_of_the_protocol_fails_with_a_reason(String answer) throws Exception {
        try (var server =
                new RawHttpServer((_, out) -> {
                    out.write(answer.getBytes(StandardCharsets.ISO_8859_1));
                    out.flush();
                    throw new IOException("hang up");
                })) {
            assertThat(failure(server).sentence())
                    .startsWith("The upstream fake ")
                    .doesNotContain("html>");
        }
    }

    @Test
    void a_huge_header_is_not_read() throws Exception {
        try (var server =
                new RawHttpServer((_, out) ->
                        out.write(
                                RawHttpServer.answer(
                                        200, TYPE, "{}", "X-Long: " + "x".repeat(70_000))))) {
            assertThat(failure(server).type()).isEqualTo(ToolErrorType.UPSTREAM_UNAVAILABLE);
        }
    }

    @Test
    void a_changing_call_has_a_connection_of_its_own() throws Exception {
        try (var server = new RawHttpServer(HttpConnectorTest::modern);
                var connection = connect(server)) {
            var options = CallOptions.reading(Deadline.in(SOON));
            // A connection is free a moment after its answer, so a call at once may find none.
            for (int call = 0; call < 20; call++) {
                connection.callTool("run", Json.object(), options);
            }
            int before = server.connections();
            assertThat(before).isLessThan(20);
            for (int call = 0; call < 3; call++) {
                connection.callTool("run", Json.object(), options.thatChanges());
            }
            assertThat(server.connections()).isEqualTo(before + 3);
        }
    }

    @Test
    void a_session_that_is_over_closes_the_connection() throws Exception {
        var over = new AtomicInteger();
        try (var server =
                        new RawHttpServer((request, out) -> {
                            if (over.get() > 0) {
                                out.write(RawHttpServer.answer(404, "text/plain", ""));
                            } else {
                                legacy(false).answer(request, out);
                            }
                        });
                var connection = connect(server)) {
            over.set(1);
            var failure =
                    catchThrowableOfType(
                            UpstreamFailure.class,
                            () ->
                                    connection.callTool(
                                            "run",
                                            Json.object(),
                                            CallOptions.reading(Deadline.in(SOON)).thatChanges()));
            assertThat(failure.type()).isEqualTo(ToolErrorType.UPSTREAM_UNAVAILABLE);
            assertThat(connection.isOpen()).isFalse();
        }
    }

    @Test
    void a_stream_that_ends_early_goes_on_where_it_was() throws Exception {
        var asked = new LinkedBlockingQueue<ObjectNode>();
        try (var server =
                        new RawHttpServer((request, out) -> {
                            switch (method(request)) {
                                case "tools/call" -> {
                                    asked.add(message(request));
                                    out.write(
                                            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nid: 9\nretry: 200\ndata:\n\n"
                                                    .getBytes(StandardCharsets.US_ASCII));
                                    out.flush();
                                    throw new IOException("the stream ends");
                                }
                                case "GET" -> {
                                    assertThat(request.header("Last-Event-ID")).isEqualTo("9");
                                    var answer = FakeUpstream.text(asked.take(), "late");
                                    out.write(
                                            RawHttpServer.answer(
                                                    200,
                                                    "text/event-stream",
                                                    "data: " + Json.text(answer) + "\n\n"));
                                }
                                default -> legacy(false).answer(request, out);
                            }
                        });
                var connection = connect(server)) {
            var result =
                    connection.callTool(
                            "run", Json.object(), CallOptions.reading(Deadline.in(SOON)));
            assertThat(result.content().path(0).path("text").stringValue("")).isEqualTo("late");
        }
    }

    /// A server of the oldest transport: a stream with an address for messages.
    static RawHttpServer.Handler oldest(String endpoint) {
        var answers = new LinkedBlockingQueue<String>();
        return (request, out) -> {
            if (request.method().equals("GET")) {
                out.write(
                        ("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nevent: endpoint\ndata: "
                                        + endpoint
                                        + "\n\n")
                                .getBytes(StandardCharsets.US_ASCII));
                out.flush();
                while (true) {
                    out.write(
                            ("data: " + answers.take() + "\n\n").getBytes(StandardCharsets.UTF_8));
                    out.flush();
                }
            }
            if (!request.path().startsWith("/messages")) {
                out.write(RawHttpServer.answer(404, "text/plain", "Cannot POST"));
                return;
            }
            var message = message(request);
            switch (method(request)) {
                case "initialize" ->
                        answers.add(
                                Json.text(
                                        FakeUpstream.result(
                                                message,
                                                """
                                                {"protocolVersion":"2024-11-05","capabilities":{"tools":{}},
                                                 "serverInfo":{"name":"oldest","version":"0"}}\
                                                """)));
                case "tools/call" -> {
                    answers.add("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"roots/list\"}");
                    answers.add("{\"jsonrpc\":\"2.0\",\"id\":\"stranger\",\"result\":{}}");
                    answers.add(Json.text(FakeUpstream.text(message, "ok")));
                }
                default -> {
                    // Nothing to say.
                }
            }
            out.write(RawHttpServer.answer(202, "text/plain", "Accepted"));
        };
    }

    @Test
    void the_oldest_transport_is_found_and_spoken() throws Exception {
        try (var server = new RawHttpServer(oldest("/messages?session=1"));
                var connection = connect(server)) {
            assertThat(connection.about().era()).isEqualTo(Era.SSE);
            assertThat(connection.about().name()).isEqualTo("oldest");
            for (var i = 0; i < 3; i++) {
                connection.callTool("run", Json.object(), CallOptions.reading(Deadline.in(SOON)));
            }
            await(() ->
                    server.requests().stream()
                                    .filter(each -> each.method().equals("POST"))
                                    .filter(each -> message(each).has("error"))
                                    .count()
                            == 3);
            assertThat(connection.dropped()).isEqualTo(6);
            assertThat(server.requests().getLast().header("authorization"))
                    .isEqualTo("Bearer of-the-operator");
        }
    }

    @Test
    void an_address_for_messages_elsewhere_is_not_used() throws Exception {
        try (var elsewhere = new RawHttpServer((_, _) -> {})) {
            for (var endpoint :
                    List.of(
                            elsewhere.address("/messages").toString(),
                            "http://169.254.169.254/messages",
                            "file:///etc/passwd",
                            "http://a@127.0.0.1/messages",
                            "\\u0000")) {
                try (var server = new RawHttpServer(oldest(endpoint))) {
                    var connector = connector(server, HttpConnector.Kind.SSE);
                    var failure =
                            catchThrowableOfType(
                                    UpstreamFailure.class,
                                    () -> connector.connect(Optional.empty(), Deadline.in(SOON)));
                    assertThat(failure.type()).isEqualTo(ToolErrorType.UPSTREAM_UNAVAILABLE);
                    assertThat(failure.sent()).isFalse();
                }
            }
            assertThat(elsewhere.connections()).isZero();
        }
    }

    @Test
    void without_memory_for_more_answers_a_call_is_refused() throws Exception {
        var small = new ReadBudget(2_000);
        try (var server =
                        new RawHttpServer((request, out) -> {
                            if (method(request).equals("tools/call")) {
                                say(
                                        out,
                                        200,
                                        FakeUpstream.text(message(request), "x".repeat(4_000)));
                            } else {
                                modern(request, out);
                            }
                        });
                var connection =
                        new HttpConnector(
                                        "fake",
                                        http,
                                        server.address("/mcp"),
                                        HttpConnector.Kind.AUTO,
                                        Map.of(),
                                        RESULT_BYTES_MAX,
                                        small,
                                        false)
                                .connect(Optional.empty(), Deadline.in(SOON))) {
            var failure =
                    catchThrowableOfType(
                            UpstreamFailure.class,
                            () ->
                                    connection.callTool(
                                            "run",
                                            Json.object(),
                                            CallOptions.reading(Deadline.in(SOON))));
            assertThat(failure.type()).isEqualTo(ToolErrorType.NO_CAPACITY);
            assertThat(small.used()).isZero();
        }
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        var deadline = Deadline.in(SOON);
        while (!condition.getAsBoolean()) {
            assertThat(deadline.isOver()).isFalse();
            Thread.sleep(10);
        }
    }
}

package dev.caisson;

import static dev.caisson.TestProduct.bash;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.caisson.json.Json;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Clock;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/// Everything a key has under way ends with it, whoever revokes it: the server itself, or another
/// process on its database, as the command line is one.
class RevokedKeyTest extends ProductTestCase {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String ENDLESS = "trap '' TERM INT; echo begun; sleep 600";

    enum Revoker {
        SERVER,
        OTHER_PROCESS
    }

    private record Key(String id, String secret) {}

    RevokedKeyTest() {
        super("mcp.legacy_sse=true");
    }

    @ParameterizedTest
    @EnumSource
    void its_runs_are_cancelled_and_say_why(Revoker by) throws Exception {
        var key = newKey();
        var run = startRun(key);

        revoke(key, by);

        await().atMost(PATIENCE).until(() -> status(run).equals("cancelled"));
        assertThat(execution(run).toString()).contains("its API key was revoked");
    }

    @ParameterizedTest
    @EnumSource
    void a_cancelled_run_of_it_is_not_to_be_tried_again(Revoker by) throws Exception {
        var key = newKey();
        var answer =
                CompletableFuture.supplyAsync(
                        () -> inline(key), work -> Thread.ofVirtual().start(work));
        await().atMost(PATIENCE)
                .until(() ->
                        !product.get("/v1/executions?all=true&status=running")
                                .path("executions")
                                .isEmpty());

        revoke(key, by);

        var result = answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(result.path("status").asString("")).as("%s", result).isEqualTo("cancelled");
        assertThat(result.at("/result/error/retryable").booleanValue(true)).isFalse();
    }

    private JsonNode inline(Key key) {
        try {
            return Json.parse(product.send(execute(key, bash(ENDLESS))).body());
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_run_that_is_streamed_ends_with_an_event_that_says_why(Revoker by) throws Exception {
        var key = newKey();
        for (var format : List.of("text/event-stream", "application/x-ndjson")) {
            var doomed = format.equals("text/event-stream") ? key : newKey();
            var stream = open(execute(doomed, bash(ENDLESS)).header("Accept", format));

            revoke(doomed, by);

            await().atMost(PATIENCE).until(stream::isDone);
            assertThat(stream.join())
                    .last()
                    .asString()
                    .contains("\"event\":\"error\",\"error\":\"key_revoked\"")
                    .satisfies(RevokedKeyTest::assertSaysRevoked);
        }
    }

    /// Every member of an error is there.
    private static void assertSaysRevoked(String line) {
        var event = Json.parse(line.substring(line.indexOf('{')));
        assertThat(event.propertyNames())
                .containsExactlyInAnyOrder(
                        "event",
                        "error",
                        "message",
                        "status",
                        "retryable",
                        "retry_after_ms",
                        "execution_id",
                        "details");
        assertThat(event.path("status").stringValue()).isEqualTo("key_revoked");
        assertThat(event.path("retryable").booleanValue()).isFalse();
        assertThat(event.path("retry_after_ms").isNull()).isTrue();
    }

    /// The reader has begun to read and then waits, so that most of the archive is still to come.
    @Test
    void an_archive_that_is_cut_short_does_not_look_whole() throws Exception {
        var key = newKey();
        var large = bash("head -c 48M /dev/urandom > large").put("thread_id", "large");
        assertThat(product.send(execute(key, large)).statusCode()).isEqualTo(200);
        var archive = product.bytes(get(key, "/v1/threads/large/archive?format=tar.gz"));
        try (var body = archive.body()) {
            assertThat(body.read()).isNotNegative();

            revoke(key, Revoker.SERVER);

            assertThatThrownBy(body::readAllBytes).isInstanceOf(IOException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void its_interpreters_end(Revoker by) throws Exception {
        var key = newKey();
        var begun = bash("x=1").put("thread_id", "t").put("session", true);
        assertThat(product.send(execute(key, begun)).statusCode()).isEqualTo(200);
        assertThat(metric("caisson_sessions_active ")).isEqualTo(1);

        revoke(key, by);

        await().atMost(PATIENCE).until(() -> metric("caisson_sessions_active ") == 0);
    }

    @ParameterizedTest
    @EnumSource
    void its_streams_and_subscriptions_are_closed(Revoker by) throws Exception {
        var key = newKey();
        var session = handshake(key);
        product.send(execute(key, bash("true").put("thread_id", "followed")));
        var followed = open(get(key, "/v1/threads/followed/events"));
        var streams =
                List.of(
                        open(get(key, "/sse")),
                        open(get(key, "/mcp/events")),
                        open(get(key, "/mcp/events").header("Mcp-Session-Id", session)),
                        open(subscription(key)));

        revoke(key, by);

        for (var stream : streams) {
            await().atMost(PATIENCE).until(stream::isDone);
        }
        await().atMost(PATIENCE).until(followed::isDone);
        assertThat(followed.join())
                .contains("event: error")
                .last()
                .asString()
                .contains("\"error\":\"key_revoked\"")
                .satisfies(RevokedKeyTest::assertSaysRevoked);
        for (var stream : streams.subList(0, 3)) {
            assertThat(stream.join())
                    .contains("event: end")
                    .last()
                    .asString()
                    .startsWith("data: ")
                    .contains("\"code\":\"key_revoked\"", "\"message\":\"The API key")
                    .contains("\"retryable\":false", "\"retry_after_ms\":null");
        }
        assertThat(String.join("\n", streams.get(3).join()))
                .contains("notifications/cancelled")
                .contains("its API key was revoked");
    }

    /// The run is of another key, which goes on.
    @ParameterizedTest
    @EnumSource
    void what_it_watches_goes_on_without_it(Revoker by) throws Exception {
        var owner = newKey();
        var key = newKey();
        var run = startRun(owner);
        var path = "/v1/executions/" + run + "/output?all=true";
        var stream = open(get(key, path).header("Accept", "text/event-stream"));

        revoke(key, by);

        await().atMost(PATIENCE).until(stream::isDone);
        assertThat(stream.join()).last().asString().contains("\"error\":\"key_revoked\"");
        assertThat(status(run)).isEqualTo("running");
        revoke(owner, Revoker.SERVER);
        await().atMost(PATIENCE).until(() -> status(run).equals("cancelled"));
    }

    @Test
    void a_revoked_key_is_refused_at_once_where_it_was_revoked() throws Exception {
        var key = newKey();
        assertThat(product.send(get(key, "/v1/whoami")).statusCode()).isEqualTo(200);

        revoke(key, Revoker.SERVER);

        assertThat(product.send(get(key, "/v1/whoami")).statusCode()).isEqualTo(401);
    }

    @ParameterizedTest
    @EnumSource
    void the_nest_of_its_runs_ends(Revoker by) throws Exception {
        var others = nests();
        var key = newKey();
        await().atMost(PATIENCE)
                .until(() -> {
                    var answer = product.send(execute(key, bash("echo 1")));
                    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
                    return !others.containsAll(nests());
                });
        var own = nests();
        own.removeAll(others);

        revoke(key, by);

        await().atMost(PATIENCE).until(() -> Collections.disjoint(nests(), own));
    }

    /// Processes that wait for nests of this server.
    private static Set<Long> nests() {
        return ProcessHandle.current()
                .children()
                .filter(child -> child.info().command().orElse("").endsWith("/nest/nest"))
                .map(ProcessHandle::pid)
                .collect(Collectors.toSet());
    }

    private void revoke(Key key, Revoker by) throws Exception {
        switch (by) {
            case SERVER ->
                    assertThat(product.send(product.request("/v1/keys/" + key.id()).DELETE()))
                            .extracting(answer -> answer.statusCode())
                            .isEqualTo(200);
            case OTHER_PROCESS -> {
                try (var desk = new StoredKeyAdmin(product.config, Clock.systemUTC())) {
                    assertThat(desk.revoke(key.id())).isTrue();
                }
            }
        }
    }

    private Key newKey() throws Exception {
        var wanted = Json.object().put("name", "doomed");
        wanted.putArray("scopes").add("run").add("files_read").add("admin");
        var made = product.send(TestProduct.post(product.request("/v1/keys"), wanted));
        var json = Json.parse(made.body());
        return new Key(json.path("id").stringValue(), json.path("secret").stringValue());
    }

    private String startRun(Key key) throws Exception {
        var accepted = product.send(execute(key, bash(ENDLESS)).header("Prefer", "respond-async"));
        assertThat(accepted.statusCode()).as(accepted.body()).isEqualTo(202);
        var run = Json.parse(accepted.body()).path("run_id").stringValue();
        await().atMost(PATIENCE).until(() -> status(run).equals("running"));
        return run;
    }

    private JsonNode execution(String run) throws Exception {
        return product.get("/v1/executions/" + run + "?all=true");
    }

    private String status(String run) throws Exception {
        return execution(run).path("status").asString("");
    }

    private double metric(String name) throws Exception {
        return product.send(product.open("/metrics"))
                .body()
                .lines()
                .filter(line -> line.startsWith(name))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length())))
                .findFirst()
                .orElse(-1);
    }

    private HttpRequest.Builder get(Key key, String path) {
        return product.open(path)
                .header("Authorization", "Bearer " + key.secret())
                .header("Accept", "text/event-stream");
    }

    private HttpRequest.Builder execute(Key key, JsonNode arguments) {
        return TestProduct.post(product.open("/v1/sandbox/execute"), arguments)
                .header("Authorization", "Bearer " + key.secret());
    }

    private HttpRequest.Builder mcp(Key key, String body) {
        return product.open("/mcp")
                .header("Authorization", "Bearer " + key.secret())
                .header("Accept", "application/json, text/event-stream")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body));
    }

    private String handshake(Key key) throws Exception {
        var body =
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{"
                        + "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
                        + "\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}";
        return product.send(mcp(key, body)).headers().firstValue("Mcp-Session-Id").orElseThrow();
    }

    private HttpRequest.Builder subscription(Key key) {
        var to = product.open("/mcp").header("Authorization", "Bearer " + key.secret());
        return McpMessages.modern(to, "subscriptions/listen", McpMessages.toolChanges());
    }

    /// Opens a stream, and has its lines without the empty ones when it has ended properly.
    private CompletableFuture<List<String>> open(HttpRequest.Builder request) throws Exception {
        var answer = product.lines(request);
        assertThat(answer.statusCode()).isEqualTo(200);
        return CompletableFuture.supplyAsync(
                () -> {
                    try (Stream<String> lines = answer.body()) {
                        return lines.filter(line -> !line.isEmpty()).toList();
                    }
                },
                work -> Thread.ofVirtual().start(work));
    }
}

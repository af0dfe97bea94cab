package dev.caisson.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.call.Change;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Who hears of what, and how a stream ends.
class ChangesTest extends McpTestCase {
    private static final String FILTER =
            "\"notifications\":{\"toolsListChanged\":true,\"resourceSubscriptions\":[\"x:1\"]}";

    private static String method(Optional<JsonNode> message) {
        return message.orElseThrow().path("method").stringValue("");
    }

    private TestClient.Stream standing(TestClient client) throws Exception {
        var stream = client.open(client.request("/mcp").GET());
        assertThat(stream.line("")).contains(": listening");
        return stream;
    }

    private TestClient.Stream listening(TestClient client) throws Exception {
        var stream = client.open(client.modern("\"s\"", "subscriptions/listen", "", FILTER));
        assertThat(method(stream.next())).endsWith("acknowledged");
        return stream;
    }

    private void announceResource(String uri) {
        server.changes.announce(new Change.ResourceUpdated(uri, _ -> true));
    }

    @Test
    void a_watched_resource_is_heard_of_in_both_eras() throws Exception {
        alice.initialize();
        try (var legacy = standing(alice);
                var modern = listening(bob)) {
            var watched = alice.answer(alice.legacy("1", "resources/subscribe", "\"uri\":\"x:1\""));
            assertThat(watched.has("result")).isTrue();
            announceResource("x:2");
            announceResource("x:1");
            for (var stream : List.of(legacy, modern)) {
                var update = stream.next().orElseThrow();
                assertThat(update.path("method").stringValue())
                        .isEqualTo("notifications/resources/updated");
                assertThat(update.path("params").path("uri").stringValue()).isEqualTo("x:1");
            }
            alice.answer(alice.legacy("2", "resources/unsubscribe", "\"uri\":\"x:1\""));
            announceResource("x:1");
            server.changes.announce(new Change.Tools(_ -> true));
            assertThat(method(legacy.next())).isEqualTo("notifications/tools/list_changed");
        }
    }

    @Test
    void nothing_is_promised_that_needs_a_session_when_there_is_none() throws Exception {
        for (var request :
                List.of(
                        alice.legacy("1", "resources/subscribe", "\"uri\":\"x:1\""),
                        alice.legacy("1", "resources/unsubscribe", "\"uri\":\"x:1\""),
                        alice.legacy("1", "logging/setLevel", "\"level\":\"info\""))) {
            var response = alice.send(request);
            assertThat(response.statusCode()).isEqualTo(400);
            assertThat(response.body()).contains("needs a session");
        }
    }

    @Test
    void other_tools_are_news_only_to_those_who_see_them() throws Exception {
        alice.initialize();
        bob.initialize();
        try (var aliceLegacy = standing(alice);
                var aliceModern = listening(alice);
                var bobLegacy = standing(bob);
                var bobModern = listening(bob)) {
            var withoutExtra =
                    server.tools.all().stream()
                            .filter(tool -> !tool.spec().name().equals("extra"))
                            .toList();
            server.offered.replace(withoutExtra);
            for (var stream : List.of(aliceLegacy, aliceModern)) {
                assertThat(method(stream.next())).isEqualTo("notifications/tools/list_changed");
            }
            server.changes.announce(new Change.ResourceUpdated("x:1", _ -> true));
            assertThat(method(bobModern.next())).isEqualTo("notifications/resources/updated");
            server.mcp.endStreams();
            assertThat(code(bobLegacy.next())).isEqualTo("server_stopping");
            assertThat(bobLegacy.next()).isEmpty();
        }
    }

    @Test
    void streams_end_properly_when_the_server_stops() throws Exception {
        try (var standing = standing(bob);
                var sse = alice.open(alice.request("/sse").GET());
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var path = sse.line("data: ").orElseThrow().substring("data: ".length());
            var call =
                    "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\",\"params\":{\"name\":\"wait\"}}";
            alice.send(alice.post(path, call));
            await().atMost(Duration.ofSeconds(30)).until(() -> server.tools.started.get() == 1);
            var ending = CompletableFuture.runAsync(server.mcp::endStreams, threads);
            assertThat(standing.rest()).doesNotContain("data: ");
            server.tools.released.countDown();
            ending.get();
            assertThat(sse.next().orElseThrow().path("id").intValue()).isEqualTo(5);
            assertThat(code(sse.next())).isEqualTo("server_stopping");
            assertThat(sse.next()).isEmpty();
        }
    }

    /// What the last event of a stream says why.
    private static String code(Optional<JsonNode> last) {
        return last.orElseThrow().path("code").asString("");
    }

    @Test
    void a_call_without_a_session_is_stopped_by_its_caller_alone() throws Exception {
        try (var stream = alice.open(alice.legacyTool("7", "wait"))) {
            await().atMost(Duration.ofSeconds(30)).until(() -> server.tools.started.get() == 1);
            bob.notifyCancelled("7");
            alice.notifyCancelled("8");
            assertThat(server.tools.stopped).hasValue(0);
            alice.notifyCancelled("7");
            await().atMost(Duration.ofSeconds(30)).until(() -> server.tools.stopped.get() == 1);
            assertThat(stream.next()).isEmpty();
        }
    }

    @Test
    void a_cancellation_that_could_mean_two_calls_stops_none() throws Exception {
        try (var one = alice.open(alice.legacyTool("7", "wait"));
                var two = alice.open(alice.legacyTool("7", "wait"))) {
            await().atMost(Duration.ofSeconds(30)).until(() -> server.tools.started.get() == 2);
            alice.notifyCancelled("7");
            server.tools.released.countDown();
            assertThat(one.next().orElseThrow().has("result")).isTrue();
            assertThat(two.next().orElseThrow().has("result")).isTrue();
            assertThat(server.tools.stopped).hasValue(0);
        }
    }
}

package dev.caisson.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.call.Change;
import dev.caisson.telemetry.LogCapture;
import dev.caisson.workflow.FakeProcesses;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class DoorTest extends McpTestCase {
    private static String text(JsonNode answer) {
        return answer.path("result").path("content").path(0).path("text").stringValue("");
    }

    private void awaitStarted(int calls) {
        await().atMost(Duration.ofSeconds(30)).until(() -> server.tools.started.get() == calls);
    }

    private void awaitStopped(int calls) {
        await().atMost(Duration.ofSeconds(30)).until(() -> server.tools.stopped.get() == calls);
    }

    @Test
    void what_a_request_says_of_its_trace_counts_more_than_what_its_connection_says()
            throws Exception {
        var header = "00-" + "a".repeat(32) + "-00f067aa0ba902b7-01";
        var both = "\"call_trace\":\"" + "b".repeat(32) + "\"";
        try (var log = new LogCapture()) {
            for (var said : List.of("00-" + "b".repeat(32) + "-00f067aa0ba902b7-01", "not valid")) {
                alice.answer(
                        alice.legacy(
                                        "1",
                                        "tools/call",
                                        "\"name\":\"echo\",\"_meta\":{\"traceparent\":\""
                                                + said
                                                + "\"}")
                                .header("traceparent", header));
            }
            await().atMost(Duration.ofSeconds(30))
                    .until(() ->
                            log.text()
                                    .lines()
                                    .anyMatch(line ->
                                            line.contains(both)
                                                    && line.contains("\"trace\":\"aaa")));
        }

        assertThat(server.calls)
                .extracting(call -> call.trace().id().value())
                .containsExactly("b".repeat(32), "a".repeat(32));
    }

    @Test
    void both_eras_are_served_at_once_on_one_url() throws Exception {
        alice.initialize();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var calls = new ArrayList<Callable<JsonNode>>();
            for (int n = 0; n < 40; n++) {
                var id = Integer.toString(n + 1);
                calls.add(() -> alice.answer(alice.legacyTool(id, "talk")));
                calls.add(() -> bob.answer(bob.modernTool("\"" + id + "\"", "talk")));
            }
            int modern = 0;
            for (var done : threads.invokeAll(calls)) {
                var answer = done.get();
                assertThat(text(answer)).isEqualTo("done");
                modern += answer.path("result").has("resultType") ? 1 : 0;
            }
            assertThat(modern).isEqualTo(40);
        }
    }

    @Test
    void a_legacy_client_needs_neither_handshake_nor_session_nor_accept() throws Exception {
        assertThat(alice.answer(alice.legacy("1e2", "tools/list", "")).path("result").path("tools"))
                .hasSize(11);
        var plain =
                alice.send(alice.legacyTool("1e2", "talk").setHeader("Accept", "application/json"));
        assertThat(plain.body()).startsWith("{\"jsonrpc\":\"2.0\",\"id\":1e2,");
    }

    @Test
    void messages_before_the_answer_come_on_its_stream() throws Exception {
        for (var request : List.of(alice.modernTool("1", "talk"), alice.legacyTool("1", "talk"))) {
            var messages = alice.messages(request);
            assertThat(messages).hasSize(7);
            assertThat(messages.getFirst().path("method").stringValue())
                    .isEqualTo("notifications/progress");
            assertThat(text(messages.getLast())).isEqualTo("done");
        }
    }

    @Test
    void a_modern_client_that_goes_cancels_its_call() throws Exception {
        try (var _ = alice.open(alice.modernTool("1", "wait"))) {
            awaitStarted(1);
        }
        awaitStopped(1);
    }

    @Test
    void a_legacy_client_that_goes_does_not_and_finds_its_answer_later() throws Exception {
        alice.initialize();
        String first;
        try (var stream = alice.open(alice.legacyTool("1", "wait"))) {
            first = stream.line("id: ").orElseThrow().substring("id: ".length());
        }
        server.tools.released.countDown();
        var again = alice.open(alice.request("/mcp").header("Last-Event-ID", first).GET());
        assertThat(text(again.next().orElseThrow())).isEqualTo("released");
        assertThat(server.tools.stopped).hasValue(0);
    }

    @Test
    void a_client_sent_away_comes_back_for_the_answer_of_that_stream_alone() throws Exception {
        alice.initialize();
        String id;
        try (var stream = alice.open(alice.legacyTool("1", "leave"))) {
            id = stream.line("id: ").orElseThrow().substring("id: ".length());
            assertThat(stream.rest()).contains("retry: 10");
        }
        alice.messages(alice.legacyTool("2", "talk"));
        server.tools.released.countDown();
        var lines = alice.open(alice.request("/mcp").header("Last-Event-ID", id).GET()).rest();
        assertThat(lines.stream().filter(line -> line.startsWith("data: "))).hasSize(1);
        var stranger = alice.send(alice.request("/mcp").header("Last-Event-ID", "c0-1").GET());
        assertThat(stranger.statusCode()).isEqualTo(400);
    }

    @Test
    void a_legacy_call_is_stopped_by_a_notification_of_its_own_session_only() throws Exception {
        alice.initialize();
        bob.initialize();
        try (var stream = alice.open(alice.legacyTool("7", "wait"))) {
            awaitStarted(1);
            bob.notifyCancelled("7");
            alice.notifyCancelled("8");
            assertThat(server.tools.stopped).hasValue(0);
            alice.notifyCancelled("7");
            awaitStopped(1);
            assertThat(stream.next()).isEmpty();
        }
    }

    @Test
    void a_session_serves_its_caller_alone_and_ends_for_good() throws Exception {
        alice.initialize();
        bob.session = alice.session;
        assertThat(bob.send(bob.legacy("1", "tools/list", "")).statusCode()).isEqualTo(404);
        assertThat(bob.send(bob.request("/mcp").DELETE()).statusCode()).isEqualTo(404);
        assertThat(alice.send(alice.legacy("1", "tools/list", "")).statusCode()).isEqualTo(200);
        assertThat(alice.send(alice.request("/mcp").DELETE()).statusCode()).isEqualTo(204);
        assertThat(alice.send(alice.legacy("1", "tools/list", "")).statusCode()).isEqualTo(404);
    }

    @Test
    void a_restart_between_two_requests_is_not_noticed() throws Exception {
        alice.initialize();
        try (var restarted = new TestServer();
                var again = new TestClient(restarted, "alice")) {
            again.session = alice.session;
            assertThat(text(again.answer(again.legacyTool("1", "talk")))).isEqualTo("done");
        }
    }

    @Test
    void a_legacy_client_is_asked_on_the_stream_and_only_its_own_answer_counts() throws Exception {
        alice.initialize();
        bob.initialize();
        try (var stream = alice.open(alice.legacyTool("1", "ask"))) {
            var question = stream.next().orElseThrow();
            assertThat(question.path("method").stringValue()).isEqualTo("elicitation/create");
            var answer = "{\"jsonrpc\":\"2.0\",\"id\":\"%s\",\"result\":{\"action\":\"%s\"}}";
            var id = question.path("id").stringValue();
            bob.send(bob.post("/mcp", answer.formatted(id, "cancel")));
            alice.send(alice.post("/mcp", answer.formatted(id, "decline")));
            assertThat(text(stream.next().orElseThrow())).contains("decline");
        }
    }

    @Test
    void a_modern_client_is_asked_in_rounds() throws Exception {
        var first = alice.answer(alice.modernTool("1", "ask")).path("result");
        assertThat(first.path("resultType").stringValue()).isEqualTo("input_required");
        var params = "\"name\":\"ask\",\"requestState\":\"%s\",\"inputResponses\":{\"who\":%s}";
        var state = first.path("requestState").stringValue();
        var good = params.formatted(state, "{\"action\":\"accept\",\"content\":{}}");
        assertThat(text(alice.answer(alice.modern("2", "tools/call", "ask", good))))
                .contains("accept");
        var stolen = bob.answer(bob.modern("3", "tools/call", "ask", good));
        assertThat(stolen.path("error").path("code").intValue()).isEqualTo(-32602);
        var wrong = params.formatted(state, "5");
        assertThat(
                        alice.answer(alice.modern("4", "tools/call", "ask", wrong))
                                .path("error")
                                .path("message")
                                .stringValue())
                .contains("params.inputResponses.who");
    }

    private String startJob(TestClient client) throws Exception {
        var created = client.answer(client.modernTool("1", "job")).path("result");
        assertThat(created.path("resultType").stringValue()).isEqualTo("task");
        return created.path("taskId").stringValue();
    }

    private static JsonNode task(TestClient client, String method, String id) throws Exception {
        return client.answer(client.modern("2", method, id, "\"taskId\":\"%s\"".formatted(id)));
    }

    @Test
    void a_task_is_its_callers_alone_and_cancelling_stops_it() throws Exception {
        var id = startJob(alice);
        awaitStarted(1);
        for (var method : List.of("tasks/get", "tasks/cancel")) {
            assertThat(task(bob, method, id).path("error").path("code").intValue())
                    .isEqualTo(-32602);
        }
        assertThat(server.tools.stopped).hasValue(0);
        assertThat(task(alice, "tasks/cancel", id).has("result")).isTrue();
        awaitStopped(1);
        assertThat(task(alice, "tasks/get", id).path("result").path("status").stringValue())
                .isEqualTo("cancelled");
    }

    @Test
    void a_task_of_a_former_server_is_answered_as_failed() throws Exception {
        var processes = new FakeProcesses();
        try (var former = new TestServer(processes, McpLimits.DEFAULT);
                var client = new TestClient(former, "alice")) {
            var id = startJob(client);
            try (var next = new TestServer(processes, McpLimits.DEFAULT);
                    var again = new TestClient(next, "alice")) {
                var task = task(again, "tasks/get", id).path("result");
                assertThat(task.path("status").stringValue()).isEqualTo("failed");
                assertThat(task.path("error").path("message").stringValue()).contains("stopped");
            }
        }
    }

    @Test
    void a_listener_hears_what_it_asked_for_and_the_end() throws Exception {
        var filter =
                "\"notifications\":{\"toolsListChanged\":true,\"resourceSubscriptions\":[\"x:1\"]}";
        try (var stream = alice.open(alice.modern("\"s\"", "subscriptions/listen", "", filter))) {
            assertThat(stream.next().orElseThrow().path("method").stringValue())
                    .isEqualTo("notifications/subscriptions/acknowledged");
            server.changes.announce(new Change.Prompts(_ -> true));
            server.changes.announce(new Change.Tools(caller -> caller.id().equals("bob")));
            server.changes.announce(new Change.ResourceUpdated("x:2", _ -> true));
            server.changes.announce(new Change.ResourceUpdated("x:1", _ -> true));
            server.changes.announce(new Change.Tools(_ -> true));
            assertThat(stream.next().orElseThrow().path("params").path("uri").stringValue())
                    .isEqualTo("x:1");
            assertThat(stream.next().orElseThrow().path("method").stringValue())
                    .isEqualTo("notifications/tools/list_changed");
            server.mcp.endStreams();
            assertThat(stream.next().orElseThrow().path("method").stringValue())
                    .isEqualTo("notifications/cancelled");
            assertThat(stream.next().orElseThrow().path("id").stringValue()).isEqualTo("s");
            assertThat(stream.next()).isEmpty();
        }
    }

    @Test
    void a_legacy_stream_begins_with_a_comment_and_hears_changes() throws Exception {
        for (var path : List.of("/mcp", "/mcp/events")) {
            try (var stream = alice.open(alice.request(path).GET())) {
                assertThat(stream.line("")).contains(": listening");
                await().atMost(Duration.ofSeconds(30))
                        .until(() -> {
                            server.changes.announce(new Change.Tools(_ -> true));
                            return stream.next().isPresent();
                        });
            }
        }
        var modern = alice.request("/mcp").header("MCP-Protocol-Version", "2026-07-28");
        assertThat(alice.send(modern.GET()).statusCode()).isEqualTo(405);
    }

    @Test
    void a_slow_reader_gets_the_answer_when_it_comes_back() throws Exception {
        alice.initialize();
        String id;
        try (var stream = alice.open(alice.legacyTool("1", "flood"))) {
            id = stream.line("id: ").orElseThrow().substring("id: ".length());
        }
        await().atMost(Duration.ofSeconds(30))
                .ignoreException(UncheckedIOException.class)
                .until(() -> {
                    var again = alice.open(alice.request("/mcp").header("Last-Event-ID", id).GET());
                    return String.join("\n", again.rest()).contains("the end");
                });
    }

    @Test
    void a_fault_shows_a_number_and_a_refusal_a_sentence() throws Exception {
        for (var client :
                List.of(alice.modernTool("1", "broken"), alice.legacyTool("1", "broken"))) {
            var error = alice.answer(client).path("error");
            assertThat(error.path("code").intValue()).isEqualTo(-32603);
            assertThat(error.toString()).doesNotContain("internals");
        }
        var busy = alice.answer(alice.modernTool("1", "busy")).path("result");
        assertThat(busy.path("isError").booleanValue()).isTrue();
        assertThat(busy.path("structuredContent").path("status").stringValue())
                .isEqualTo("conflict");
        assertThat(busy.path("structuredContent").path("retryable").booleanValue()).isTrue();
    }

    @Test
    void a_hidden_tool_is_an_unknown_one() throws Exception {
        for (var request : List.of(bob.modernTool("1", "extra"), bob.legacyTool("1", "extra"))) {
            assertThat(bob.answer(request).path("error").path("code").intValue()).isEqualTo(-32602);
        }
        var narrowed =
                alice.post(
                        "/mcp?toolsets=none",
                        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}");
        assertThat(alice.answer(narrowed).path("result").path("tools")).isEmpty();
    }

    @Test
    void http_with_sse_answers_on_its_stream() throws Exception {
        try (var stream = alice.open(alice.request("/sse").GET())) {
            assertThat(stream.line("")).contains("event: endpoint");
            var path = stream.line("data: ").orElseThrow().substring("data: ".length());
            var call =
                    "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\",\"params\":{\"name\":\"talk\"}}";
            assertThat(alice.send(alice.post(path, call)).statusCode()).isEqualTo(202);
            var message = stream.next().orElseThrow();
            while (!message.has("id")) {
                message = stream.next().orElseThrow();
            }
            assertThat(text(message)).isEqualTo("done");
            assertThat(bob.send(bob.post(path, call)).statusCode()).isEqualTo(404);
            assertThat(alice.send(alice.post(path, "{")).body()).contains("-32700");
            assertThat(alice.send(alice.post("/message", call)).body())
                    .contains("Missing sessionId");
            assertThat(alice.send(alice.request("/message").GET()).statusCode()).isEqualTo(405);
        }
    }
}

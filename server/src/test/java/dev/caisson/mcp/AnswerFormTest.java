package dev.caisson.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.json.Json;
import dev.caisson.mcp.http.AcceptHeader;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/// In which form an answer comes.
class AnswerFormTest extends McpTestCase {
    /// Makes a call that takes far longer than answers stay quiet.
    private String typeOfSlowAnswer(HttpRequest.Builder call) throws Exception {
        int before = server.tools.started.get();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var answer = CompletableFuture.supplyAsync(() -> sent(call), threads);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> server.tools.started.get() > before);
            Thread.sleep(McpLimits.DEFAULT.replies().quiet().multipliedBy(3));
            server.tools.released.countDown();
            return answer.get();
        }
    }

    private String sent(HttpRequest.Builder call) {
        try {
            var response = alice.send(call);
            assertThat(response.body()).contains("released");
            return response.headers().firstValue("Content-Type").orElse("");
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void a_legacy_client_that_takes_anything_gets_json_however_long_it_takes() throws Exception {
        var call = alice.legacyTool("1", "wait").setHeader("Accept", "*/*");
        assertThat(typeOfSlowAnswer(call)).isEqualTo("application/json");
    }

    @Test
    void so_does_a_modern_one() throws Exception {
        var call = alice.modernTool("1", "wait").setHeader("Accept", "*/*");
        assertThat(typeOfSlowAnswer(call)).isEqualTo("application/json");
    }

    @Test
    void one_that_names_streams_gets_a_stream() throws Exception {
        assertThat(typeOfSlowAnswer(alice.legacyTool("1", "wait"))).isEqualTo("text/event-stream");
    }

    @Test
    void what_accept_means() {
        var meanings =
                Map.of(
                        "application/json", new AcceptHeader(true, false, false),
                        "text/event-stream", new AcceptHeader(false, true, false),
                        "application/json, text/event-stream", new AcceptHeader(true, true, false),
                        "APPLICATION/JSON;q=0.5,Text/Event-Stream",
                                new AcceptHeader(true, true, false),
                        "*/*", new AcceptHeader(true, false, true),
                        "application/json, */*;q=0.1", new AcceptHeader(true, false, true),
                        "text/event-stream;q=0, */*", new AcceptHeader(true, false, true),
                        "text/*, application/*", new AcceptHeader(true, true, false),
                        "image/png", new AcceptHeader(false, false, false),
                        "", new AcceptHeader(false, false, false));
        meanings.forEach((header, meaning) ->
                assertThat(AcceptHeader.of(header)).as(header).isEqualTo(meaning));
        assertThat(meanings).hasSize(10);
    }

    @Test
    void a_modern_client_must_take_both_kinds() throws Exception {
        for (var accept : List.of("application/json", "text/event-stream", "image/png")) {
            var call = alice.modernTool("1", "echo").setHeader("Accept", accept);
            assertThat(alice.send(call).statusCode()).as(accept).isEqualTo(406);
        }
    }

    @Test
    void a_result_always_says_whether_it_is_an_error() throws Exception {
        for (var tool : Map.of("echo", false, "busy", true).entrySet()) {
            for (var call :
                    List.of(
                            alice.modernTool("1", tool.getKey()),
                            alice.legacyTool("1", tool.getKey()))) {
                assertThat(alice.answer(call).path("result").get("isError"))
                        .isEqualTo(Json.tree(tool.getValue()));
            }
        }
    }

    @Test
    void an_unknown_method_is_named() throws Exception {
        var answer = alice.answer(alice.legacy("4", "tools/unknown", ""));
        assertThat(Json.text(answer))
                .isEqualTo(
                        "{\"jsonrpc\":\"2.0\",\"id\":4,\"error\":{\"code\":-32601,\"message\":"
                                + "\"Method not found: tools/unknown\"}}");
    }
}

package dev.caisson;

import static dev.caisson.TestProduct.bash;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.json.Json;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Programs run over REST in real sandboxes: in one answer, as events, and refused.
class RestExecuteTest extends ProductTestCase {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String NDJSON = "application/x-ndjson";
    private static final String SSE = "text/event-stream";

    @Test
    void the_answer_is_what_the_tool_says_in_structured_form() throws Exception {
        var answer =
                product.send(
                        product.execute(
                                bash("echo out; echo err >&2; echo x > made.txt; exit 3")
                                        .put("thread_id", "rest")));

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        var result = Json.parse(answer.body());
        assertThat(result.path("status").stringValue()).isEqualTo("failed");
        assertThat(result.path("exit_code").intValue()).isEqualTo(3);
        assertThat(result.path("stdout").stringValue()).isEqualTo("out\n");
        assertThat(result.path("stderr").stringValue()).isEqualTo("err\n");
        assertThat(result.path("thread_id").stringValue()).isEqualTo("rest");
        assertThat(result.path("tool_name").stringValue()).isEqualTo("sandbox_execute");
        assertThat(result.path("trace_id").stringValue()).hasSize(32);
        assertThat(result.path("files").findValuesAsString("path")).contains("made.txt");
    }

    @Test
    void what_the_tool_refuses_is_refused_with_the_status_of_the_reason() throws Exception {
        assertRefused(Json.object(), 400, "validation_error", "code");
        assertRefused(bash(""), 400, "validation_error", "code");
        assertRefused(bash("true").put("timeout", 0), 400, "validation_error", "timeout");
        assertRefused(bash("true").put("language", "cobol"), 400, "validation_error", "language");
        assertRefused(bash("true").put("x", 1), 400, "validation_error", "x");
        assertRefused(
                bash("echo a\n\u0000echo b"), 400, "validation_error", "code has a NUL character");
        assertRefused(
                bash("true").put("webhook_url", "https://a.example"),
                400,
                "validation_error",
                "respond-async");
    }

    private void assertRefused(JsonNode body, int status, String word, String part)
            throws Exception {
        var answer = product.send(TestProduct.post(product.request("/v1/sandbox/execute"), body));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.body()).contains("\"error\":\"" + word + "\"").contains(part);
    }

    @Test
    void a_busy_thread_is_a_conflict_in_every_form() throws Exception {
        var slow = product.lines(streaming(NDJSON, bash("sleep 600").put("thread_id", "busy")));
        try (var lines = slow.body()) {
            var reading = lines.iterator();
            assertThat(reading.next()).contains("\"started\"", "\"thread_id\":\"busy\"");

            for (var accept : List.of("application/json", NDJSON, SSE)) {
                var answer = product.send(streaming(accept, bash("true").put("thread_id", "busy")));
                assertThat(answer.statusCode()).isEqualTo(409);
                assertThat(answer.body()).contains("\"error\":\"conflict\"", "\"retryable\":true");
            }
        }
        awaitFree("busy");
    }

    /// A reader who left took the program along when the thread can be used again.
    private void awaitFree(String thread) {
        await().atMost(PATIENCE)
                .until(() ->
                        product.send(product.execute(bash("true").put("thread_id", thread)))
                                        .statusCode()
                                == 200);
    }

    @Test
    void a_client_who_leaves_takes_the_program_along() throws Exception {
        var left = leave("leaver", "");
        await().atMost(PATIENCE).until(() -> status(left), "cancelled"::equals);
    }

    @Test
    void a_client_who_stays_gets_its_answer_however_long_it_takes() throws Exception {
        var answer = product.send(product.execute(bash("sleep 3; echo here")));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(Json.parse(answer.body()).path("stdout").stringValue()).isEqualTo("here\n");
    }

    @Test
    void a_client_who_may_come_again_does_not() throws Exception {
        var left = leave("returner", "Idempotency-Key: again\r\n");
        var other = leave("another", "");
        await().atMost(PATIENCE).until(() -> status(other), "cancelled"::equals);
        assertThat(status(left)).isEqualTo("running");
        product.send(product.request("/v1/executions/" + left).DELETE());
    }

    /// Those who wait for what the first request becomes, and have left.
    @Test
    void repetitions_whose_clients_left_hold_nothing() throws Exception {
        var first = leave("repeated", "Idempotency-Key: repeated\r\n");
        for (int i = 0; i < 20; i++) {
            leave("repeated", "Idempotency-Key: repeated\r\n");
        }
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(product.send(product.request("/metrics").GET()).body())
                                .contains("caisson_http_requests_in_flight 0.0"));
        assertThat(status(first)).isEqualTo("running");
        product.send(product.request("/v1/executions/" + first).DELETE());
    }

    /// Asks for a program that sleeps, and closes the connection when it has begun.
    private String leave(String thread, String header) throws Exception {
        var body = Json.text(bash("sleep 600").put("thread_id", thread));
        var address = product.server.address();
        try (var socket = new Socket(address.getHost(), address.getPort())) {
            socket.getOutputStream()
                    .write(
                            """
                            POST /v1/sandbox/execute HTTP/1.1\r
                            Host: %s\r
                            Authorization: Bearer %s\r
                            Content-Type: application/json\r
                            Content-Length: %d\r
                            %s\r
                            %s\
                            """
                                    .formatted(
                                            address.getAuthority(),
                                            product.key,
                                            body.length(),
                                            header,
                                            body)
                                    .getBytes(StandardCharsets.UTF_8));
            return await().atMost(PATIENCE)
                    .until(() -> runIn(thread), Optional::isPresent)
                    .orElseThrow();
        }
    }

    private Optional<String> runIn(String thread) throws Exception {
        return product
                .get("/v1/executions?thread_id=" + thread)
                .path("executions")
                .values()
                .stream()
                .map(one -> one.path("run_id").stringValue())
                .findFirst();
    }

    private String status(String id) throws Exception {
        return product.get("/v1/executions/" + id).path("status").stringValue();
    }

    @Test
    void events_come_while_the_program_runs_and_the_result_is_last() throws Exception {
        var code =
                "echo one; until [ -e go ]; do sleep 0.05; done; echo two >&2; echo x > left.txt";
        var answer = product.lines(streaming(NDJSON, bash(code).put("thread_id", "live")));

        assertThat(answer.headers().firstValue("Content-Type")).contains(NDJSON);
        try (var lines = answer.body()) {
            var reading = lines.iterator();
            var started = Json.parse(reading.next());
            assertThat(started.path("event").stringValue()).isEqualTo("started");
            assertThat(started.path("language").stringValue()).isEqualTo("bash");
            assertThat(started.path("run_id").stringValue()).startsWith("exe_");
            var first = Json.parse(reading.next());
            assertThat(Json.text(first))
                    .isEqualTo(
                            "{\"event\":\"stdout\",\"text\":\"one\\n\",\"offset\":0,\"next_offset\":4}");
            // It waits for a file that nobody makes: only its reader can end it.
        }
        awaitFree("live");
    }

    @Test
    void nothing_is_lost_or_doubled_however_much_is_written() throws Exception {
        var events = events(NDJSON, bash("for i in $(seq 40000); do echo line $i; done"));

        var text = new StringBuilder();
        for (var event : events) {
            if (event.path("event").stringValue().equals("stdout")) {
                assertThat(event.path("offset").longValue()).isEqualTo(text.length());
                text.append(event.path("text").stringValue());
            }
        }
        assertThat(text.toString().lines().count()).isEqualTo(40000);
        assertThat(text.toString()).startsWith("line 1\n").endsWith("line 40000\n");
        assertThat(names(events)).startsWith("started", "stdout").endsWith("stdout", "result");
        var result = events.getLast().path("result");
        assertThat(result.path("status").stringValue()).isEqualTo("success");
        assertThat(result.path("stdout_bytes").longValue()).isEqualTo(text.length());
    }

    @Test
    void errors_never_come_before_output_that_was_written_earlier() throws Exception {
        var code = "for i in range(3): print('line', i)\n1 / 0";
        for (int run = 0; run < 25; run++) {
            var text = together(events(NDJSON, python(code)));
            assertThat(text).startsWith("line 0\nline 1\nline 2\nTraceback");
        }
    }

    /// The program waits each time until what it wrote was read, so that its order is known.
    @Test
    void both_streams_come_in_the_order_they_were_read_also_afterwards() throws Exception {
        var code =
                """
                import array, fcntl, os, termios, time
                unread = array.array('i', [0])
                for i in range(12):
                    os.write(1 + i % 2, b'%d \\xc3\\xbc\\n' % i)
                    while True:
                        fcntl.ioctl(1 + i % 2, termios.FIONREAD, unread)
                        if unread[0] == 0: break
                        time.sleep(0.001)
                """;
        var events = events(NDJSON, python(code));
        var expected =
                IntStream.range(0, 12).mapToObj(i -> i + " ü\n").collect(Collectors.joining());
        assertThat(together(events)).isEqualTo(expected);
        var id = events.getFirst().path("run_id").stringValue();
        var again = product.request("/v1/executions/" + id + "/output").header("Accept", NDJSON);
        try (var lines = product.lines(again).body()) {
            assertThat(together(lines.filter(line -> !line.isEmpty()).map(Json::parse).toList()))
                    .isEqualTo(expected);
        }
    }

    /// More often than its order is kept.
    @Test
    void a_program_that_alternates_without_end_loses_nothing() throws Exception {
        var code =
                """
                import os
                for i in range(6000): os.write(1 + i % 2, b'%d\\n' % i)
                """;
        var events = events(NDJSON, python(code));
        for (int stream = 0; stream < 2; stream++) {
            var name = List.of("stdout", "stderr").get(stream);
            var own =
                    events.stream()
                            .filter(event -> event.path("event").stringValue().equals(name))
                            .toList();
            var first = stream;
            assertThat(together(own))
                    .isEqualTo(
                            IntStream.range(0, 3000)
                                    .mapToObj(i -> 2 * i + first + "\n")
                                    .collect(Collectors.joining()));
        }
    }

    private static ObjectNode python(String code) {
        return bash(code).put("language", "python");
    }

    private static String together(List<JsonNode> events) {
        return events.stream()
                .filter(event -> event.path("event").stringValue().startsWith("std"))
                .map(event -> event.path("text").stringValue())
                .collect(Collectors.joining());
    }

    /// A byte that is no text is shown as another character, which has more bytes.
    @Test
    void where_a_stream_goes_on_is_told_in_bytes_of_the_program() throws Exception {
        var events = events(NDJSON, bash("printf 'a\\377b\\n'"));

        assertThat(names(events)).containsExactly("started", "stdout", "result");
        assertThat(events.get(1).path("text").stringValue()).isEqualTo("a\uFFFDb\n");
        assertThat(events.get(1).path("next_offset").longValue()).isEqualTo(4);
    }

    @Test
    void files_are_told_before_the_result() throws Exception {
        var events = events(NDJSON, bash("printf 12345 > a.txt").put("thread_id", "files"));

        assertThat(names(events)).containsExactly("started", "file", "result");
        assertThat(Json.text(events.get(1)))
                .isEqualTo(
                        "{\"event\":\"file\",\"path\":\"a.txt\",\"size\":5,\"media_type\":\"text/plain\"}");
    }

    @Test
    void server_sent_events_carry_the_same() throws Exception {
        var answer = product.send(streaming(SSE, bash("echo hi; echo no >&2; exit 4")));

        assertThat(answer.headers().firstValue("Content-Type")).contains(SSE);
        assertThat(answer.body())
                .startsWith("id: 1\nevent: started\ndata: {\"event\":\"started\",")
                .contains("\nid: 2\nevent: ")
                .contains("\nevent: stdout\ndata: {\"event\":\"stdout\",\"text\":\"hi\\n\"")
                .contains("\nevent: stderr\ndata: {\"event\":\"stderr\",\"text\":\"no\\n\"")
                .contains("\nevent: result\ndata: {\"event\":\"result\",\"result\":{")
                .contains("\"exit_code\":4")
                .endsWith("}\n\n");
    }

    @Test
    void a_secret_never_shows_in_an_event() throws Exception {
        var arguments =
                bash("printf '%s' \"$API_TOKEN\"; sleep 0.2; printf '%s\\n' \"$API_TOKEN\"");
        arguments.putObject("env_vars").put("API_TOKEN", "canary-3f8a7b2c9d");

        var body = product.send(streaming(NDJSON, arguments)).body();

        assertThat(body).contains("\"event\":\"stdout\"").doesNotContain("canary-3f8a7b2c9d");
    }

    private HttpRequest.Builder streaming(String accept, JsonNode arguments) {
        return TestProduct.post(product.request("/v1/sandbox/execute"), arguments)
                .header("Accept", accept);
    }

    private List<JsonNode> events(String accept, JsonNode arguments) throws Exception {
        var events = new ArrayList<JsonNode>();
        try (var lines = product.lines(streaming(accept, arguments)).body()) {
            lines.map(Json::parse).forEach(events::add);
        }
        return events;
    }

    private static List<String> names(List<JsonNode> events) {
        return events.stream().map(event -> event.path("event").stringValue()).toList();
    }
}

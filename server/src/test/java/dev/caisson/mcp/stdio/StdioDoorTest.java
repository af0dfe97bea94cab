package dev.caisson.mcp.stdio;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.call.Caller;
import dev.caisson.call.SpanId;
import dev.caisson.json.Json;
import dev.caisson.mcp.McpLimits;
import dev.caisson.mcp.TestServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class StdioDoorTest {
    private static final String META =
            "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                    + "\"io.modelcontextprotocol/clientCapabilities\":{}}";

    private TestServer server;
    private OutputStream toServer;
    private BufferedReader lines;
    private Thread serving;

    @BeforeEach
    void open() throws Exception {
        server = new TestServer();
        var there = Pipe.open();
        var back = Pipe.open();
        toServer = Channels.newOutputStream(there.sink());
        lines = new BufferedReader(Channels.newReader(back.source(), UTF_8));
        var in = Channels.newInputStream(there.source());
        var out = Channels.newOutputStream(back.sink());
        serving =
                Thread.ofPlatform()
                        .start(() -> {
                            try (out) {
                                server.mcp.stdio(Caller.LOCAL, in, out);
                            } catch (IOException | InterruptedException e) {
                                throw new IllegalStateException(e);
                            }
                        });
    }

    @AfterEach
    void close() throws Exception {
        toServer.close();
        serving.join(Duration.ofSeconds(30));
        server.close();
    }

    @Test
    void a_call_belongs_to_the_trace_its_request_names() throws Exception {
        var trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00";
        send(
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{"
                        + "\"name\":\"echo\",\"_meta\":{\"traceparent\":\""
                        + trace
                        + "\"}}}");
        assertThat(lines.readLine()).contains("\"result\"");

        var found = server.calls.getFirst().trace();
        assertThat(found.id().value()).isEqualTo("4bf92f3577b34da6a3ce929d0e0e4736");
        assertThat(found.parent()).map(SpanId::value).contains("00f067aa0ba902b7");
        assertThat(found.sampled()).isFalse();
    }

    private void send(String message) throws IOException {
        toServer.write((message + "\n").getBytes(UTF_8));
        toServer.flush();
    }

    private void request(String id, String method, String params) throws IOException {
        send(
                "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"%s\",\"params\":{%s}}"
                        .formatted(id, method, params));
    }

    private JsonNode next() throws IOException {
        return Json.parse(lines.readLine());
    }

    @Test
    void a_handshake_works_after_a_discovery_in_one_process() throws Exception {
        request("1", "server/discover", META);
        assertThat(next().path("result").path("supportedVersions").path(0).stringValue())
                .isEqualTo("2026-07-28");
        request("2", "initialize", "\"protocolVersion\":\"2025-11-25\"");
        assertThat(next().path("result").path("protocolVersion").stringValue())
                .isEqualTo("2025-11-25");
        request("3", "tools/list", "");
        assertThat(next().path("result").has("resultType")).isFalse();
        request("4", "tools/list", META);
        assertThat(next().path("result").path("resultType").stringValue()).isEqualTo("complete");
    }

    @Test
    void other_tools_are_told_of_in_both_eras() throws Exception {
        request("1", "initialize", "\"protocolVersion\":\"2025-11-25\"");
        var declared = next().path("result").path("capabilities");
        assertThat(declared.path("tools").path("listChanged").booleanValue()).isTrue();
        assertThat(declared.has("prompts")).isFalse();
        request(
                "2",
                "subscriptions/listen",
                "\"notifications\":{\"toolsListChanged\":true}," + META);
        assertThat(next().path("method").stringValue()).endsWith("acknowledged");

        server.offered.replace(List.of(server.tools.all().getFirst()));

        for (var i = 0; i < 2; i++) {
            assertThat(next().path("method").stringValue())
                    .isEqualTo("notifications/tools/list_changed");
        }
    }

    @Test
    void a_refused_call_says_why_and_whether_to_try_again() throws Exception {
        for (var era : List.of("", "," + META)) {
            request("1", "tools/call", "\"name\":\"busy\"" + era);
            var result = next().path("result");
            assertThat(result.path("isError").booleanValue()).isTrue();
            assertThat(result.at("/structuredContent/status").stringValue()).isEqualTo("conflict");
            assertThat(result.at("/structuredContent/retryable").booleanValue()).isTrue();
        }
    }

    @Test
    void calls_run_side_by_side_and_every_line_is_whole() throws Exception {
        for (int n = 0; n < 60; n++) {
            request(
                    Integer.toString(n),
                    "tools/call",
                    "\"name\":\"echo\",\"arguments\":{\"x\":\"%s\"}".formatted("y".repeat(2000)));
        }
        var seen = new HashSet<Integer>();
        while (seen.size() < 60) {
            seen.add(next().path("id").intValue());
        }
        assertThat(seen).hasSize(60);
    }

    @Test
    void a_cancelled_call_stops_and_is_never_answered() throws Exception {
        for (var params : List.of("\"name\":\"wait\"", "\"name\":\"wait\"," + META)) {
            int before = server.tools.stopped.get();
            request("1", "tools/call", params);
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> server.tools.started.get() == before + 1);
            send(
                    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}");
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> server.tools.stopped.get() == before + 1);
            request("2", "ping", "");
            assertThat(next().path("id").intValue()).isEqualTo(2);
        }
    }

    @Test
    void what_is_no_message_is_answered_and_the_next_is_served() throws Exception {
        send("{");
        assertThat(next().path("error").path("code").intValue()).isEqualTo(-32700);
        send("x".repeat(McpLimits.DEFAULT.channels().lineBytes() + 1));
        assertThat(next().path("error").path("code").intValue()).isEqualTo(-32600);
        request("3", "nothing/known", "");
        assertThat(next().path("error").path("code").intValue()).isEqualTo(-32601);
        request("4", "tools/list", "\"cursor\":5");
        assertThat(next().path("error").path("message").stringValue()).contains("params.cursor");
    }

    @Test
    void the_end_of_the_input_ends_it_and_stops_what_hangs() throws Exception {
        request("1", "tools/call", "\"name\":\"wait\"");
        request("2", "tools/call", "\"name\":\"echo\"");
        toServer.close();
        assertThat(next().path("id").intValue()).isEqualTo(2);
        assertThat(serving.join(Duration.ofSeconds(30))).isTrue();
        await().atMost(Duration.ofSeconds(30)).until(() -> server.tools.stopped.get() == 1);
    }
}

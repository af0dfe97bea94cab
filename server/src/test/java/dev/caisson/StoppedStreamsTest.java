package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Streams that are open when the server stops end properly, with an event that says why.
@Tag("root")
class StoppedStreamsTest {
    private static final int PATIENCE_SECONDS = 120;

    @Test
    void every_open_stream_is_told_that_the_server_stops(@TempDir Path directory) throws Exception {
        var streams = new ArrayList<CompletableFuture<List<String>>>();
        var product = new TestProduct(directory, "mcp.legacy_sse=true");
        try {
            streams.add(open(product, get(product, "/sse")));
            streams.add(open(product, get(product, "/mcp/events")));
            streams.add(
                    open(
                            product,
                            get(product, "/mcp/events")
                                    .header("Mcp-Session-Id", handshake(product))));
            for (var format : List.of("text/event-stream", "application/x-ndjson")) {
                var program = TestProduct.bash("echo begun; sleep 600");
                streams.add(open(product, product.execute(program).header("Accept", format)));
            }
            product.server.close();
            for (var stream : streams) {
                var last = stream.get(PATIENCE_SECONDS, TimeUnit.SECONDS).getLast();
                assertThat(last)
                        .contains("server_stopping", "\"message\":\"The server is stopping.")
                        .contains("\"retryable\":true", "\"retry_after_ms\":1000");
            }
            for (var stream : streams.subList(3, 5)) {
                assertThat(stream.join().getLast())
                        .contains("\"event\":\"error\",\"error\":\"server_stopping\"")
                        .contains("\"status\":\"server_stopping\"")
                        .contains("\"execution_id\":null", "\"details\":null");
            }
            assertThat(streams.get(0).join()).contains("event: end");
            assertThat(streams.get(3).join()).contains("event: error");
        } finally {
            product.close();
        }
    }

    private static HttpRequest.Builder get(TestProduct product, String path) {
        return product.request(path).header("Accept", "text/event-stream");
    }

    private static String handshake(TestProduct product) throws Exception {
        var body =
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{"
                        + "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
                        + "\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}";
        return product.send(
                        product.request("/mcp")
                                .header("Accept", "application/json, text/event-stream")
                                .header("Content-Type", "application/json")
                                .POST(BodyPublishers.ofString(body)))
                .headers()
                .firstValue("Mcp-Session-Id")
                .orElseThrow();
    }

    /// Opens a stream and waits for its first line; has all its lines when it has ended properly.
    private static CompletableFuture<List<String>> open(
            TestProduct product, HttpRequest.Builder request) throws Exception {
        var answer = product.lines(request);
        assertThat(answer.statusCode()).isEqualTo(200);
        var begun = new CountDownLatch(1);
        var all =
                CompletableFuture.supplyAsync(
                        () -> {
                            try (Stream<String> lines = answer.body()) {
                                return lines.peek(_ -> begun.countDown())
                                        .filter(line -> !line.isEmpty())
                                        .toList();
                            }
                        },
                        work -> Thread.ofVirtual().start(work));
        assertThat(begun.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        return all;
    }
}

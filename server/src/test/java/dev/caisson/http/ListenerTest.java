package dev.caisson.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.telemetry.Faults;
import dev.caisson.telemetry.Metrics;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ListenerTest {
    @Test
    void a_posted_body_is_echoed_and_a_stream_ends() throws Exception {
        var metrics = new Metrics();
        var routes =
                new Operations(metrics, List.of())
                        .addTo(Routes.builder())
                        .exact("/echo", exchange -> exchange.reply(200, Map.of(), exchange.body()))
                        .exact(
                                "/stream",
                                exchange -> {
                                    var stream =
                                            exchange.stream(
                                                    200,
                                                    Map.of("Content-Type", "text/event-stream"));
                                    stream.write("data: 1\n\n".getBytes(UTF_8));
                                    stream.write("data: 2\n\n".getBytes(UTF_8));
                                    stream.close();
                                })
                        .build();
        try (var listener =
                        new Listener(
                                HttpSettings.loopback(0), routes, metrics, new Faults(metrics));
                var client = HttpClient.newHttpClient()) {
            listener.start();
            var echo =
                    client.send(
                            HttpRequest.newBuilder(listener.address().resolve("/echo"))
                                    .POST(HttpRequest.BodyPublishers.ofString("hello"))
                                    .build(),
                            BodyHandlers.ofString());
            assertThat(echo.body()).isEqualTo("hello");
            var stream =
                    client.send(
                            HttpRequest.newBuilder(listener.address().resolve("/stream")).build(),
                            BodyHandlers.ofString());
            assertThat(stream.body()).isEqualTo("data: 1\n\ndata: 2\n\n");
            var health =
                    client.send(
                            HttpRequest.newBuilder(listener.address().resolve("/healthz")).build(),
                            BodyHandlers.ofString());
            assertThat(health.body()).isEqualTo("{\"status\":\"ok\"}");
        }
    }
}

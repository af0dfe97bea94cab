package dev.caisson.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.telemetry.Faults;
import dev.caisson.telemetry.Metrics;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class OperationsTest {
    @Test
    void the_check_that_fails_is_named() throws Exception {
        var ready = new AtomicBoolean();
        var checks =
                List.of(
                        new Operations.Check("store", () -> true),
                        new Operations.Check("sandbox", ready::get));
        var metrics = new Metrics();
        var routes = new Operations(metrics, checks).addTo(Routes.builder()).build();
        try (var listener =
                new Listener(HttpSettings.loopback(0), routes, metrics, new Faults(metrics))) {
            listener.start();
            var failing = get(listener, "/readyz");
            assertThat(failing.statusCode()).isEqualTo(503);
            assertThat(failing.body())
                    .isEqualTo("{\"status\":\"unavailable\",\"failing\":[\"sandbox\"]}");
            assertThat(get(listener, "/healthz").body()).isEqualTo("{\"status\":\"ok\"}");
            ready.set(true);
            assertThat(get(listener, "/readyz").body()).isEqualTo("{\"status\":\"ready\"}");
        }
    }

    @Test
    void the_numbers_tell_what_was_answered() throws Exception {
        try (var site = Site.with(HttpLimits.DEFAULT)) {
            site.get("/unread");
            site.get("/nowhere");
            site.get("/path/some/name");
            await().untilAsserted(() ->
                    assertThat(get(site.listener, "/metrics").body())
                            .contains(
                                    "caisson_http_requests_total{route=\"/unread\",status=\"200\"} 1.0",
                                    "caisson_http_requests_total{route=\"none\",status=\"404\"} 1.0",
                                    "caisson_http_requests_total{route=\"/path/*\",status=\"200\"} 1.0",
                                    "caisson_http_request_seconds_count{route=\"/unread\"} 1",
                                    "caisson_refusals_total{reason=\"not_found\"} 1.0")
                            .doesNotContain("some/name"));
            assertThat(site.send("POST /metrics", "", "").status()).isEqualTo(405);
        }
    }

    private static HttpResponse<String> get(Listener listener, String path) throws Exception {
        try (var client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(listener.address().resolve(path)).build();
            return client.send(request, BodyHandlers.ofString());
        }
    }
}

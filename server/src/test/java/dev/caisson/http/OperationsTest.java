package dev.caisson.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.telemetry.Faults;
import dev.caisson.telemetry.Metrics;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
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
    void a_warning_leaves_the_server_ready() throws Exception {
        var warnings = new AtomicReference<>(List.of("The disk is nearly full."));
        var metrics = new Metrics();
        var operations =
                new Operations(metrics, List.of(), List.of(), warnings::get, Optional.empty());
        try (var listener =
                new Listener(
                        HttpSettings.loopback(0),
                        operations.addTo(Routes.builder()).build(),
                        metrics,
                        new Faults(metrics))) {
            listener.start();
            var warned = get(listener, "/readyz");
            assertThat(warned.statusCode()).isEqualTo(200);
            assertThat(warned.body())
                    .isEqualTo(
                            "{\"status\":\"ready\",\"warnings\":[\"The disk is nearly"
                                    + " full.\"]}");
            warnings.set(List.of());
            assertThat(get(listener, "/readyz").body()).isEqualTo("{\"status\":\"ready\"}");
        }
    }

    /// As many as there are threads to carry virtual ones compute, and more.
    @Test
    void computing_handlers_and_a_stuck_store_keep_no_operator_waiting() throws Exception {
        var stuck = new CountDownLatch(1);
        var busy = new AtomicBoolean(true);
        var computing = new CountDownLatch(1);
        var metrics = new Metrics();
        var checks = List.of(new Operations.Check("store", () -> awaited(stuck)));
        var routes =
                new Operations(metrics, checks)
                        .addTo(Routes.builder())
                        .exact(
                                "/compute",
                                exchange -> {
                                    computing.countDown();
                                    while (busy.get()) {
                                        Thread.onSpinWait();
                                    }
                                    exchange.reply(200, Map.of(), new byte[0]);
                                })
                        .build();
        try (var listener =
                        new Listener(
                                HttpSettings.loopback(0), routes, metrics, new Faults(metrics));
                var client = HttpClient.newHttpClient()) {
            listener.start();
            var asked = new ArrayList<CompletableFuture<HttpResponse<String>>>();
            for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors() + 2; i++) {
                var request = HttpRequest.newBuilder(listener.address().resolve("/compute"));
                asked.add(client.sendAsync(request.build(), BodyHandlers.ofString()));
            }
            computing.await();
            assertThat(get(listener, "/healthz").statusCode()).isEqualTo(200);
            assertThat(get(listener, "/readyz").body()).contains("\"failing\":[\"store\"]");
            assertThat(get(listener, "/metrics").statusCode()).isEqualTo(200);
            assertThat(asked).noneMatch(CompletableFuture::isDone);
            busy.set(false);
            stuck.countDown();
            await().untilAsserted(
                            () -> assertThat(get(listener, "/readyz").statusCode()).isEqualTo(200));
            CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new)).join();
        }
    }

    @Test
    void however_many_ask_for_the_numbers_all_get_them() throws Exception {
        var counted = new CountDownLatch(1);
        var scrapes = new AtomicInteger();
        try (var site = Site.with(HttpLimits.DEFAULT);
                var client = HttpClient.newHttpClient()) {
            site.metrics.watch(
                    "slow",
                    "Takes long.",
                    () -> {
                        scrapes.incrementAndGet();
                        return awaited(counted) ? 1 : 0;
                    });
            var asked = new ArrayList<CompletableFuture<HttpResponse<String>>>();
            for (int i = 0; i < 100; i++) {
                var request = HttpRequest.newBuilder(site.listener.address().resolve("/metrics"));
                asked.add(client.sendAsync(request.build(), BodyHandlers.ofString()));
            }
            await().until(() -> scrapes.get() == 1);
            assertThat(get(site.listener, "/healthz").statusCode()).isEqualTo(200);
            counted.countDown();
            for (var one : asked) {
                assertThat(one.get().statusCode()).isEqualTo(200);
            }
        }
    }

    private static boolean awaited(CountDownLatch latch) {
        try {
            latch.await();
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
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

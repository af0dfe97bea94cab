package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.node.ObjectNode;

/// One key makes the real server compute as much as it can: everybody else is answered meanwhile,
/// and when its clients have left nothing is computed any more.
@Timeout(300)
class BusyServerTest extends ProductTestCase {
    private static final int CLIENTS = 6;

    @BeforeAll
    void prepare() throws Exception {
        run("for i in $(seq 60); do truncate -s 200M sparse$i; done", "sparse");
        run("for d in $(seq 20); do mkdir $d; (cd $d; touch $(seq 200)); done", "many");
    }

    private void run(String code, String thread) throws Exception {
        var answer = product.send(product.execute(TestProduct.bash(code).put("thread_id", thread)));
        assertThat(Json.parse(answer.body()).path("exit_code").asInt(-1)).isZero();
    }

    private void assertOthersAreAnswered() throws Exception {
        for (var i = 0; i < 20; i++) {
            assertThat(product.send(product.open("/healthz")).statusCode()).isEqualTo(200);
            assertThat(product.send(product.open("/readyz")).statusCode()).isEqualTo(200);
        }
    }

    private void awaitIdle() {
        var workers = product.server.core.workers;
        await().atMost(Duration.ofSeconds(60))
                .until(() -> workers.busy() == 0 && workers.waiting() == 0);
    }

    @Test
    void archives_of_sparse_files_stop_nobody_and_end_with_their_clients() throws Exception {
        var begun = new CountDownLatch(CLIENTS);
        var ended = new AtomicInteger();
        try (var clients = HttpClient.newHttpClient()) {
            for (var i = 0; i < CLIENTS; i++) {
                var request = product.request("/v1/threads/sparse/archive?format=tar.gz").build();
                Thread.ofVirtual().start(() -> readOn(clients, request, begun, ended));
            }
            begun.await();
            assertThat(ended).as("those that are whole").hasValue(0);
            assertOthersAreAnswered();
            clients.shutdownNow();
        }
        awaitIdle();
        assertThat(ended).as("those that are whole").hasValue(0);
    }

    private static void readOn(
            HttpClient clients, HttpRequest request, CountDownLatch begun, AtomicInteger ended) {
        try (var body = clients.send(request, BodyHandlers.ofInputStream()).body()) {
            begun.countDown();
            body.transferTo(OutputStream.nullOutputStream());
            ended.incrementAndGet();
        } catch (IOException | InterruptedException gone) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void lists_of_many_files_stop_nobody() throws Exception {
        var list =
                Json.object()
                        .put("source", "thread")
                        .put("id", "many")
                        .put("recursive", true)
                        .put("limit", 1_000);
        assertBusyWith("/v1/files/list", list, 200);
    }

    @Test
    void a_large_body_with_too_many_values_is_refused_and_stops_nobody() throws Exception {
        var body = Json.object();
        var values = body.putArray("values");
        for (var i = 0; i < Json.REQUEST_TOKENS_MAX; i++) {
            values.add(i);
        }
        assertBusyWith("/v1/files/list", body, 400);
    }

    private void assertBusyWith(String path, ObjectNode body, int status) throws Exception {
        var asked = new CountDownLatch(CLIENTS);
        var answered = new AtomicInteger();
        for (var i = 0; i < CLIENTS; i++) {
            Thread.ofVirtual()
                    .start(() -> {
                        try {
                            for (var round = 0; round < 5; round++) {
                                var answer =
                                        product.send(TestProduct.post(product.request(path), body));
                                answered.addAndGet(answer.statusCode() == status ? 1 : 0);
                            }
                        } catch (Exception failed) {
                            Thread.currentThread().interrupt();
                        } finally {
                            asked.countDown();
                        }
                    });
        }
        assertOthersAreAnswered();
        asked.await();
        assertThat(answered).hasValue(CLIENTS * 5);
        awaitIdle();
    }
}

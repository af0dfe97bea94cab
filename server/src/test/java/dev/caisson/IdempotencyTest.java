package dev.caisson;

import static dev.caisson.TestProduct.bash;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.json.Json;
import dev.caisson.share.ShareLimit;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// The same request with the same key runs once. Each program here counts in a file how often it
/// ran.
@Tag("root")
class IdempotencyTest {
    private static final String COUNTING = "echo x >> runs; sleep 0.5; wc -l < runs";
    private static final String REPLAYED = "Idempotent-Replayed";

    /// As the specification says.
    private static final int WAITING_MAX = 128;

    @TempDir Path directory;

    @Test
    void the_same_key_and_body_give_the_stored_result_also_after_a_restart() throws Exception {
        var body = bash(COUNTING).put("thread_id", "counted");
        String key;
        String first;
        try (var product = new TestProduct(directory)) {
            key = product.key;
            var answer = send(product, key, "k1", body, "application/json");
            first = answer.body();
            assertThat(answer.headers().firstValue(REPLAYED)).isEmpty();
            assertThat(Json.parse(first).path("stdout").stringValue()).isEqualTo("1\n");

            var again = send(product, key, "k1", body, "application/json");
            assertThat(again.statusCode()).isEqualTo(200);
            assertThat(again.headers().firstValue(REPLAYED)).contains("true");
            assertThat(again.body()).isEqualTo(first);
            assertThat(send(product, key, "k2", body, "application/json").body())
                    .contains("\"stdout\":\"2\\n\"");
        }
        try (var product = new TestProduct(directory)) {
            assertThat(send(product, key, "k1", body, "application/json").body()).isEqualTo(first);
        }
    }

    @Test
    void whoever_sends_it_while_it_runs_waits_for_the_same_result() throws Exception {
        var body = bash(COUNTING).put("thread_id", "together");
        try (var product = new TestProduct(directory);
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<HttpResponse<String>> request =
                    () -> send(product, product.key, "same", body, "application/json");
            var answers = callers.invokeAll(List.of(request, request, request, request));

            for (var answer : answers) {
                assertThat(answer.get().statusCode()).as(answer.get().body()).isEqualTo(200);
                assertThat(answer.get().body()).isEqualTo(answers.getFirst().get().body());
            }
            assertThat(
                            answers.stream()
                                    .filter(answer ->
                                            answer.resultNow()
                                                    .headers()
                                                    .firstValue(REPLAYED)
                                                    .isPresent())
                                    .count())
                    .isEqualTo(3);
        }
    }

    @Test
    void so_many_may_wait_for_the_same_result_and_one_more_is_refused() throws Exception {
        var body = bash("sleep 300");
        var share = (int) ShareLimit.DEFAULT.of(WAITING_MAX);
        try (var product = new TestProduct(directory);
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<HttpResponse<String>> request =
                    () -> send(product, product.key, "same", body, "application/json");
            var first = callers.submit(request);
            await().atMost(Duration.ofSeconds(60)).until(() -> running(product).isPresent());

            var repeated = Stream.generate(() -> request).limit(share + 1).map(callers::submit);
            var answers = repeated.toList();
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> answers.stream().anyMatch(Future::isDone));
            var refused = answers.stream().filter(Future::isDone).toList();
            assertThat(refused).hasSize(1);
            assertThat(refused.getFirst().get().statusCode()).isEqualTo(429);
            assertThat(Json.parse(refused.getFirst().get().body()).at("/details/share"))
                    .hasToString("\"repetitions\"");

            product.send(product.request("/v1/executions/" + running(product).get()).DELETE());
            assertThat(first.get().statusCode()).isEqualTo(200);
            for (var answer : answers) {
                answer.get();
            }
            assertThat(answers.stream().filter(each -> each.resultNow().statusCode() == 200))
                    .hasSize(share);
        }
    }

    private static Optional<String> running(TestProduct product) throws Exception {
        var found = product.get("/v1/executions?status=running").path("executions");
        return found.isEmpty()
                ? Optional.empty()
                : Optional.of(found.get(0).path("run_id").stringValue());
    }

    @Test
    void another_body_is_a_mismatch_and_a_bad_key_is_refused() throws Exception {
        try (var product = new TestProduct(directory)) {
            send(product, product.key, "k", bash("echo 1"), "application/json");

            var other = send(product, product.key, "k", bash("echo 2"), "application/json");
            assertThat(other.statusCode()).isEqualTo(422);
            assertThat(other.body()).contains("\"error\":\"idempotency_mismatch\"");

            for (var bad : List.of("a b", "x".repeat(256))) {
                var refused = send(product, product.key, bad, bash("true"), "application/json");
                assertThat(refused.statusCode()).isEqualTo(400);
                assertThat(refused.body()).contains("Idempotency-Key");
            }
            var longest = send(product, product.key, "x".repeat(255), bash("true"), "*/*");
            assertThat(longest.statusCode()).isEqualTo(200);
        }
    }

    @Test
    void what_was_refused_before_it_ran_can_be_sent_again() throws Exception {
        try (var product = new TestProduct(directory)) {
            var wrong = bash("true").put("timeout", 0);
            for (var round = 0; round < 2; round++) {
                var refused = send(product, product.key, "k", wrong, "application/json");
                assertThat(refused.statusCode()).isEqualTo(400);
                assertThat(refused.headers().firstValue(REPLAYED)).isEmpty();
            }
            assertThat(send(product, product.key, "k", bash("true"), "*/*").statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void a_stream_that_broke_goes_on_from_the_start() throws Exception {
        var ndjson = "application/x-ndjson";
        var body = bash("echo one; sleep 2; echo two").put("thread_id", "broken");
        try (var product = new TestProduct(directory)) {
            var begun = product.lines(request(product, product.key, "s", body, ndjson));
            String started;
            try (var lines = begun.body()) {
                started = lines.iterator().next();
            }
            var again = send(product, product.key, "s", body, ndjson);
            assertThat(again.headers().firstValue(REPLAYED)).contains("true");
            assertThat(again.body().lines().findFirst()).contains(started);
            assertThat(again.body())
                    .contains(
                            "\"text\":\"one\\n\"", "\"text\":\"two\\n\"", "\"status\":\"success\"");

            var past = send(product, product.key, "s", body, ndjson);
            assertThat(past.body().lines().findFirst()).contains(started);
            assertThat(past.body())
                    .containsSubsequence("\"text\":\"one\\n\"", "\"text\":\"two\\n\"");
            assertThat(past.body().lines().toList().getLast())
                    .isEqualTo(again.body().lines().toList().getLast());
        }
    }

    private static HttpResponse<String> send(
            TestProduct product, String apiKey, String key, JsonNode body, String accept)
            throws Exception {
        return product.send(request(product, apiKey, key, body, accept));
    }

    private static HttpRequest.Builder request(
            TestProduct product, String apiKey, String key, JsonNode body, String accept) {
        return TestProduct.post(product.open("/v1/sandbox/execute"), body)
                .header("Authorization", "Bearer " + apiKey)
                .header("Idempotency-Key", key)
                .header("Accept", accept);
    }
}

package dev.caisson;

import static dev.caisson.TestProduct.bash;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.json.Json;
import dev.caisson.store.TestDatabase;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Two servers with one database of PostgreSQL's and two data directories.
@Tag("root")
@Tag("postgres")
@Timeout(300)
final class TwoServersTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir Path directory;

    private TestProduct product(String name, String url) throws Exception {
        return new TestProduct(
                Files.createDirectories(directory.resolve(name)),
                "data.database_url=" + url,
                "data.database_user=postgres",
                "data.database_password=postgres");
    }

    private static String status(TestProduct product, String id) throws Exception {
        return product.get("/v1/executions/" + id).path("status").asString();
    }

    @Test
    void the_start_of_one_settles_nothing_that_runs_on_the_other() throws Exception {
        var url = TestDatabase.Kind.POSTGRES.fresh(directory).address();
        try (var first = product("first", url);
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var waits = bash("until [ -e go ]; do sleep 0.05; done; echo done");
            var request = waits.put("thread_id", "t").put("timeout", 240);
            var running =
                    callers.submit(() ->
                            first.send(
                                    first.execute(request.deepCopy())
                                            .header("Idempotency-Key", "once")));
            await().atMost(PATIENCE)
                    .until(() ->
                            first.get("/v1/executions?status=running").path("executions").size()
                                    == 1);
            var id =
                    first.get("/v1/executions")
                            .path("executions")
                            .path(0)
                            .path("run_id")
                            .asString();

            try (var _ = product("second", url)) {
                assertThat(status(first, id)).as("while the other starts").isEqualTo("running");
            }
            try (var _ = product("second", url)) {
                assertThat(status(first, id)).as("again").isEqualTo("running");
                put(first, "go");
                var answer = running.get();
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
                assertThat(Json.parse(answer.body()).path("stdout").asString()).isEqualTo("done\n");
                assertThat(status(first, id)).isEqualTo("success");
                var again =
                        first.send(
                                first.execute(request.deepCopy())
                                        .header("Idempotency-Key", "once"));
                assertThat(again.body()).as("the same answer").isEqualTo(answer.body());
            }
        }
    }

    @Test
    void a_repetition_at_the_other_waits_for_the_one_run_and_gets_its_answer() throws Exception {
        var url = TestDatabase.Kind.POSTGRES.fresh(directory).address();
        try (var first = product("first", url);
                var second = product("second", url);
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var waits = bash("until [ -e go ]; do sleep 0.05; done; echo done");
            var request = waits.put("thread_id", "t").put("timeout", 240);
            var running = callers.submit(() -> first.send(keyed(first, first.key, request)));
            await().atMost(PATIENCE).until(() -> !running(first).isEmpty());

            var other = bash("echo other").put("thread_id", "t");
            var mismatch = second.send(keyed(second, first.key, other));
            assertThat(mismatch.statusCode()).as(mismatch.body()).isEqualTo(422);
            assertEndedOnlyThere(second, first.key, running(first).path(0));
            var repeated = callers.submit(() -> second.send(keyed(second, first.key, request)));
            put(first, "go");

            assertThat(running.get().statusCode()).as(running.get().body()).isEqualTo(200);
            assertThat(repeated.get().statusCode()).as(repeated.get().body()).isEqualTo(200);
            assertThat(repeated.get().body()).isEqualTo(running.get().body());
            assertThat(repeated.get().headers().firstValue("Idempotent-Replayed")).contains("true");
            assertThat(first.get("/v1/executions").path("executions")).hasSize(1);
        }
    }

    private static void assertEndedOnlyThere(TestProduct other, String key, JsonNode running)
            throws Exception {
        var path = "/v1/executions/" + running.path("run_id").asString();
        var end = other.open(path).header("Authorization", "Bearer " + key).DELETE();
        var refused = other.send(end);
        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(409);
        assertThat(refused.body()).contains("runs on another server with this database");
        assertThat(Json.parse(refused.body()).at("/details/status").asString())
                .isEqualTo("running");
    }

    private static HttpRequest.Builder keyed(TestProduct product, String key, JsonNode body) {
        return TestProduct.post(product.open("/v1/sandbox/execute"), body)
                .header("Authorization", "Bearer " + key)
                .header("Idempotency-Key", "once");
    }

    private static JsonNode running(TestProduct product) throws Exception {
        return product.get("/v1/executions?status=running").path("executions");
    }

    /// Puts a file into the thread, by a link.
    private static void put(TestProduct product, String path) throws Exception {
        var file = Json.object().put("source", "thread").put("id", "t").put("path", path);
        var link = product.send(TestProduct.post(product.request("/v1/files/upload"), file));
        assertThat(link.statusCode()).as(link.body()).isEqualTo(200);
        var url = URI.create(Json.parse(link.body()).path("url").asString());
        var put = product.send(HttpRequest.newBuilder(url).PUT(BodyPublishers.ofString("now")));
        assertThat(put.statusCode()).as(put.body()).isEqualTo(200);
    }
}

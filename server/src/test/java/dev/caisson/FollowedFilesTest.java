package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.json.Json;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What a client hears of the files of its thread while real runs and uploads change them.
class FollowedFilesTest extends ProductTestCase {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    FollowedFilesTest() {
        super("sandbox.pool_memory_bytes=0B", "mcp.heartbeat=200ms");
    }

    /// The events of a thread as they come.
    private final class Follower {
        final List<JsonNode> events = new CopyOnWriteArrayList<>();
        final Thread reader;

        Follower(HttpRequest.Builder request) throws Exception {
            var answer = product.lines(request.header("Accept", "application/x-ndjson"));
            assertThat(answer.statusCode()).isEqualTo(200);
            reader =
                    Thread.ofVirtual()
                            .start(() ->
                                    answer.body().forEach(line -> events.add(Json.parse(line))));
            await().atMost(PATIENCE).until(() -> !all("listening").isEmpty());
        }

        List<String> all(String name) {
            return events.stream()
                    .filter(event -> event.path("event").stringValue().equals(name))
                    .map(event -> event.path("path").asString(""))
                    .toList();
        }

        JsonNode event(String name, String path) {
            return await().atMost(PATIENCE)
                    .until(
                            () ->
                                    events.stream()
                                            .filter(event ->
                                                    event.path("event").stringValue().equals(name)
                                                            && event.path("path")
                                                                    .asString("")
                                                                    .equals(path))
                                            .findFirst(),
                            Optional::isPresent)
                    .orElseThrow();
        }
    }

    private JsonNode run(String thread, String code) throws Exception {
        var answer = product.send(product.execute(bash(thread, code)));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return Json.parse(answer.body());
    }

    private static ObjectNode bash(String thread, String code) {
        return TestProduct.bash(code).put("thread_id", thread);
    }

    private static ObjectNode file(String thread, String path) {
        return Json.object().put("source", "thread").put("id", thread).put("path", path);
    }

    private void upload(String thread, String path, String content) throws Exception {
        var link =
                product.send(
                        TestProduct.post(product.request("/v1/files/upload"), file(thread, path)));
        var url = Json.parse(link.body()).path("url").stringValue();
        var stored =
                product.send(
                        HttpRequest.newBuilder(URI.create(url))
                                .PUT(BodyPublishers.ofString(content)));
        assertThat(stored.statusCode()).isEqualTo(200);
    }

    private Follower follow(String thread) throws Exception {
        return new Follower(product.request("/v1/threads/" + thread + "/events"));
    }

    @Test
    void what_a_run_did_is_told_when_it_is_over() throws Exception {
        run(
                "t1",
                "echo 1 > kept; echo 1 > changed; echo 1 > gone; mkdir d; ln -s /etc/passwd d/link");
        var follower = follow("t1");

        var report =
                run(
                        "t1",
                        "echo 22 >> changed; rm gone; echo new > d/made; true > d/link2; rm d/link");

        var made = follower.event("created", "d/made");
        assertThat(made.path("size").longValue()).isEqualTo(4);
        assertThat(made.path("cause").stringValue()).isEqualTo("run");
        assertThat(made.path("execution_id").stringValue())
                .isEqualTo(report.path("run_id").stringValue());
        follower.event("modified", "changed");
        var gone = follower.event("removed", "gone");
        assertThat(gone.path("size").isNull()).isTrue();
        assertThat(gone.path("execution_id")).isEqualTo(made.path("execution_id"));
        assertThat(follower.all("created")).containsExactlyInAnyOrder("d/made", "d/link2");
        assertThat(follower.all("modified")).containsExactly("changed");
        assertThat(follower.all("removed")).containsExactly("gone");
        assertThat(follower.events.getFirst().path("thread_id").stringValue()).isEqualTo("t1");
    }

    @Test
    void a_remembered_secret_in_the_name_of_an_upload_is_not_told() throws Exception {
        var given = bash("t-secret", "true");
        given.putObject("env_vars").put("MY_TOKEN", "s3cret-in-a-Name");
        product.send(product.execute(given));
        var follower = follow("t-secret");

        upload("t-secret", "of-s3cret-in-a-Name.txt", "x");

        var told = follower.event("created", "of-[REDACTED:secret].txt");
        assertThat(told.path("cause").stringValue()).isEqualTo("upload");
    }

    @Test
    void uploads_and_deletions_are_told_at_once_also_while_a_program_runs() throws Exception {
        run("t2", "true");
        var follower = follow("t2");
        product.send(
                product.execute(bash("t2", "until [ -e stop ]; do sleep 0.1; done"))
                        .header("Prefer", "respond-async"));

        upload("t2", "in.txt", "one");
        assertThat(follower.event("created", "in.txt").path("cause").stringValue())
                .isEqualTo("upload");
        upload("t2", "in.txt", "other");
        assertThat(follower.event("modified", "in.txt").path("size").longValue()).isEqualTo(5);
        product.send(TestProduct.post(product.request("/v1/files/delete"), file("t2", "in.txt")));
        assertThat(follower.event("removed", "in.txt").path("cause").stringValue())
                .isEqualTo("deletion");
        upload("t2", "stop", "");
        var uploaded = follower.event("created", "stop");
        assertThat(uploaded.path("execution_id").isNull()).isTrue();
    }

    @Test
    void silence_is_filled_and_the_end_of_the_thread_is_the_last_word() throws Exception {
        run("t3", "true");
        var follower = follow("t3");
        await().atMost(PATIENCE).until(() -> follower.all("beat").size() >= 2);

        product.send(product.request("/v1/threads/t3").DELETE());

        assertThat(follower.reader.join(PATIENCE)).isTrue();
        assertThat(follower.events.getLast().path("event").stringValue()).isEqualTo("deleted");
    }

    @Test
    void too_much_at_once_is_one_event() throws Exception {
        run("t4", "true");
        var follower = follow("t4");
        run("t4", "for n in $(seq 1200); do : > f$n; done");
        await().atMost(PATIENCE).until(() -> follower.all("overflow").size() == 1);
        assertThat(follower.all("created")).isEmpty();
    }

    @Test
    void names_that_hold_a_secret_are_shown_without_it() throws Exception {
        run("t5", "true");
        var follower = follow("t5");
        var arguments = bash("t5", ": > out-$MY_PASSWORD");
        arguments.putObject("env_vars").put("MY_PASSWORD", "correct-horse-battery");
        product.send(product.execute(arguments));
        await().atMost(PATIENCE).until(() -> !follower.all("created").isEmpty());
        assertThat(follower.events.toString()).doesNotContain("correct-horse");
    }

    @Test
    void only_the_owner_with_the_scope_follows_a_thread_that_is_there() throws Exception {
        run("t6", "true");
        for (var scope : List.of("files_read", "run")) {
            var wanted = Json.object().put("name", "other-" + scope);
            wanted.putArray("scopes").add(scope);
            var made = product.send(TestProduct.post(product.request("/v1/keys"), wanted));
            var secret = Json.parse(made.body()).path("secret").stringValue();
            var answer =
                    product.send(
                            product.open("/v1/threads/t6/events")
                                    .header("Authorization", "Bearer " + secret));
            assertThat(answer.statusCode()).isEqualTo(scope.equals("run") ? 403 : 404);
        }
        assertThat(product.send(product.request("/v1/threads/none/events")).statusCode())
                .isEqualTo(404);
        assertThat(product.send(product.open("/v1/threads/t6/events")).statusCode()).isEqualTo(401);
        var head = product.send(product.request("/v1/threads/t6/events").HEAD());
        assertThat(head.statusCode()).isEqualTo(200);
    }

    @Test
    void a_stream_of_server_sent_events_is_the_default_and_ends_with_the_server(
            @TempDir Path directory) throws Exception {
        Thread reader;
        var lines = new CopyOnWriteArrayList<String>();
        try (var other = new TestProduct(directory, "sandbox.pool_memory_bytes=0B")) {
            other.send(other.execute(bash("t", "true")));
            var answer = other.lines(other.request("/v1/threads/t/events"));
            assertThat(answer.headers().firstValue("Content-Type")).contains("text/event-stream");
            reader = Thread.ofVirtual().start(() -> answer.body().forEach(lines::add));
            await().atMost(PATIENCE).until(() -> lines.contains("event: listening"));
            other.server.close();
            assertThat(reader.join(PATIENCE)).isTrue();
        }
    }
}

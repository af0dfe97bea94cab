package dev.caisson;

import static dev.caisson.TestProduct.bash;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.json.Json;
import java.io.RandomAccessFile;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A data directory whose disk is really full: every door refuses with words, or keeps what it
/// acknowledged; all is well again when there is room.
@Tag("root")
@Timeout(600)
final class FullDiskTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final long DISK = 1L << 30;

    /// What JSON-RPC says when it does not know what is wrong.
    private static final int INTERNAL_ERROR = -32603;

    private static final String KEY = "a new key";

    /// What needs no space of its own: a short run without a thread is in memory, and its record in
    /// the journal, whose space was taken when the server started.
    private static final Set<String> SMALL =
            Set.of("a run", "a run that streams", "a run over MCP");

    @TempDir Path directory;
    private Path disk;

    @BeforeEach
    void mount() throws Exception {
        var image = directory.resolve("disk.img");
        try (var file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(DISK);
        }
        disk = Files.createDirectory(directory.resolve("disk"));
        run("mkfs.ext4", "-q", "-F", "-m", "0", image.toString());
        run("mount", "-o", "loop", image.toString(), disk.toString());
    }

    @AfterEach
    void unmount() throws Exception {
        run("umount", "--lazy", disk.toString());
    }

    private static void run(String... words) throws Exception {
        var process =
                new ProcessBuilder(words)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.PIPE)
                        .start();
        process.getOutputStream().close();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
    }

    private TestProduct product() throws Exception {
        return new TestProduct(
                disk,
                "sandbox.workspace_bytes=16MiB",
                "sandbox.workspace_files=1000",
                "webhooks.private_hosts=127.0.0.1");
    }

    /// Leaves not one block.
    private void fill() throws Exception {
        run(
                "sh",
                "-c",
                "cd "
                        + disk
                        + "; for n in 64m 4m 256k 16k 4k; do for i in $(seq 1 64); do"
                        + " fallocate -l $n ballast-$n-$i 2>/dev/null || break; done; done;"
                        + " df --output=avail . | tail -1");
        assertThat(disk.toFile().getUsableSpace()).isLessThan(64 << 10);
    }

    private void makeRoom() throws Exception {
        run("sh", "-c", "rm -f " + disk + "/ballast-*");
    }

    private static HttpRequest.Builder post(TestProduct product, String path, String body) {
        return product.request(path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body));
    }

    private static HttpRequest.Builder tool(
            TestProduct product, String name, ObjectNode arguments) {
        var params = McpMessages.tool(name, arguments);
        return McpMessages.legacy(product.request("/mcp"), "tools/call", params);
    }

    /// A call that may become a task.
    private static HttpRequest.Builder task(
            TestProduct product, String name, ObjectNode arguments) {
        var params = McpMessages.withTasks(McpMessages.tool(name, arguments));
        return McpMessages.modern(product.request("/mcp"), "tools/call", params);
    }

    private static ObjectNode file(String id, String path) {
        return Json.object().put("source", "thread").put("id", id).put("path", path);
    }

    private static URI link(TestProduct product, String path) throws Exception {
        var link = product.send(post(product, "/v1/files/upload", Json.text(file("kept", path))));
        assertThat(link.statusCode()).as(link.body()).isEqualTo(200);
        return URI.create(Json.parse(link.body()).path("url").asString());
    }

    /// Whatever stores something.
    private static Map<String, HttpRequest.Builder> doors(TestProduct product, URI link) {
        var thread = bash("echo x > y").put("thread_id", "kept");
        var doors = new LinkedHashMap<String, HttpRequest.Builder>();
        doors.put("a run", product.execute(bash("echo x")));
        doors.put("a run in a thread", product.execute(thread));
        doors.put("a run in a new thread", product.execute(bash("ls").put("thread_id", "fresh")));
        doors.put(
                "a run with a key",
                product.execute(bash("echo x")).header("Idempotency-Key", "full"));
        doors.put(
                "a run that is not waited for",
                product.execute(bash("echo x")).header("Prefer", "respond-async"));
        doors.put(
                "a run whose result is sent",
                product.execute(bash("echo x").put("webhook_url", "http://127.0.0.1:9/"))
                        .header("Prefer", "respond-async"));
        doors.put(
                "a run that streams",
                product.execute(bash("echo x")).header("Accept", "text/event-stream"));
        doors.put(
                "a link",
                HttpRequest.newBuilder(link)
                        .timeout(PATIENCE)
                        .PUT(BodyPublishers.ofByteArray(new byte[1 << 20])));
        doors.put("a new volume", post(product, "/v1/volumes", "{\"name\":\"more\"}"));
        doors.put(KEY, post(product, "/v1/keys", "{\"name\":\"more\"}"));
        doors.put("a run over MCP", tool(product, "sandbox_execute", bash("echo x")));
        doors.put("a task over MCP", task(product, "sandbox_execute", bash("sleep 2; echo x")));
        doors.put(
                "a file over MCP",
                tool(
                        product,
                        "files_upload",
                        file("kept", "z").put("content", "z".repeat(1 << 16))));
        doors.put(
                "a file of a new thread",
                tool(product, "files_upload", file("fresh", "z").put("content", "z")));
        return doors;
    }

    /// The JSON of an answer, or of its last event.
    private static JsonNode last(HttpResponse<String> answer) {
        var body = answer.body();
        return Json.parse(
                isStream(answer)
                        ? body.lines()
                                .filter(line -> line.startsWith("data:"))
                                .map(line -> line.substring("data:".length()).strip())
                                .filter(data -> !data.isEmpty())
                                .reduce((_, later) -> later)
                                .orElseThrow(() -> new AssertionError("no event in " + body))
                        : body);
    }

    private static boolean isStream(HttpResponse<String> answer) {
        return answer.headers()
                .firstValue("Content-Type")
                .orElse("")
                .startsWith("text/event-stream");
    }

    private static void assertRefused(String door, HttpResponse<String> answer) {
        var said = door + ": " + answer.statusCode() + " " + answer.body();
        assertThat(answer.statusCode()).as(said).isNotEqualTo(500);
        assertThat(answer.body()).as(door).doesNotContain("fault number");
        var last = last(answer);
        if (answer.uri().getPath().equals("/mcp")) {
            if (last.path("error").isObject()) {
                assertThat(last.path("error").path("code").asInt(INTERNAL_ERROR))
                        .as(said)
                        .isNotEqualTo(INTERNAL_ERROR);
            } else {
                assertThat(last.path("result").path("isError").asBoolean(false)).as(said).isTrue();
            }
            return;
        }
        if (isStream(answer)) {
            assertThat(last.path("event").asString("")).as(said).isEqualTo("error");
        } else {
            assertThat(answer.statusCode()).as(said).isIn(413, 429, 503);
        }
        var message = last.path("message").asString("");
        assertThat(message).as(said).isNotEmpty();
        if (message.toLowerCase(Locale.ROOT).contains("try again")) {
            assertThat(last.path("retryable").booleanValue()).as(said).isTrue();
            assertThat(last.path("retry_after_ms").longValue(0)).as(said).isPositive();
        }
    }

    /// The id of a run that the answer says to have ended well.
    private static Optional<String> finished(HttpResponse<String> answer) {
        var last = last(answer);
        var told =
                answer.uri().getPath().equals("/mcp")
                        ? last.path("result").path("structuredContent")
                        : last.has("result") && last.has("event") ? last.path("result") : last;
        return told.path("status").asString("").equals("success")
                ? Optional.of(told.path("execution_id").asString())
                : Optional.empty();
    }

    private static int archived(TestProduct product) throws Exception {
        return product.send(product.request("/v1/threads/kept/archive")).statusCode();
    }

    @Test
    void every_door_says_so_and_what_was_acknowledged_stays() throws Exception {
        try (var product = product()) {
            var made =
                    product.send(
                            product.execute(bash("echo kept > file").put("thread_id", "kept")));
            assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
            var link = link(product, "up");
            var acknowledged = new ArrayList<String>();
            var runs = new ArrayList<String>();
            fill();
            for (var door : doors(product, link).entrySet()) {
                fill();
                var answer = product.send(door.getValue());
                if (door.getKey().equals(KEY) && answer.statusCode() == 201) {
                    // The log of the database had room for so small a row.
                    acknowledged.add(Json.parse(answer.body()).path("secret").asString());
                } else if (SMALL.contains(door.getKey()) && finished(answer).isPresent()) {
                    runs.add(finished(answer).get());
                } else {
                    assertRefused(door.getKey(), answer);
                }
            }
            // On a busy machine it is asked to come back first.
            await().atMost(PATIENCE).until(() -> archived(product), List.of(200, 503)::contains);
            assertThat(product.send(product.open("/healthz")).statusCode()).isEqualTo(200);
            assertThat(product.send(product.request("/v1/executions")).statusCode())
                    .isIn(List.of(200, 503));

            makeRoom();

            for (var secret : acknowledged) {
                var holder = product.open("/v1/whoami").header("Authorization", "Bearer " + secret);
                assertThat(product.send(holder).statusCode()).isEqualTo(200);
            }
            for (var run : runs) {
                await().atMost(PATIENCE)
                        .untilAsserted(() -> {
                            var record = product.send(product.request("/v1/executions/" + run));
                            assertThat(record.statusCode()).as(record.body()).isEqualTo(200);
                            var told = Json.parse(record.body());
                            assertThat(told.path("status").asString()).isEqualTo("success");
                            assertThat(told.path("stdout").asString()).isEqualTo("x\n");
                        });
            }
            await().atMost(PATIENCE)
                    .untilAsserted(() -> {
                        var kept =
                                product.send(
                                        product.execute(bash("cat file").put("thread_id", "kept")));
                        assertThat(kept.statusCode()).as(kept.body()).isEqualTo(200);
                        assertThat(Json.parse(kept.body()).path("stdout").asString())
                                .isEqualTo("kept\n");
                    });
            for (var door : doors(product, link(product, "again")).entrySet()) {
                var answer = product.send(door.getValue());
                assertThat(answer.statusCode())
                        .as(door.getKey() + ": " + answer.body())
                        .isBetween(200, 299);
                if (answer.uri().getPath().equals("/mcp")) {
                    var result = last(answer).path("result");
                    assertThat(result.isObject()).as(answer.body()).isTrue();
                    assertThat(result.path("isError").asBoolean(false)).as(answer.body()).isFalse();
                }
            }
        }
    }
}

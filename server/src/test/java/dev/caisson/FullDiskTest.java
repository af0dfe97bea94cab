package dev.caisson;

import static dev.caisson.RestProduct.bash;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/// A data directory whose disk is really full: every door refuses with words, what was acknowledged
/// stays, and all is well again when there is room.
@Timeout(600)
final class FullDiskTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final long DISK = 1L << 30;

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

    private RestProduct product() throws Exception {
        return new RestProduct(
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

    private static HttpRequest.Builder post(RestProduct product, String path, String body) {
        return product.request(path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body));
    }

    private static HttpRequest.Builder tool(
            RestProduct product, String name, ObjectNode arguments) {
        var call = Json.object().put("jsonrpc", "2.0").put("id", 1).put("method", "tools/call");
        call.putObject("params").put("name", name).set("arguments", arguments);
        return post(product, "/mcp", Json.text(call))
                .header("Accept", "application/json, text/event-stream");
    }

    private static ObjectNode file(String id, String path) {
        return Json.object().put("source", "thread").put("id", id).put("path", path);
    }

    private static URI link(RestProduct product, String path) throws Exception {
        var link = product.send(post(product, "/v1/files/upload", Json.text(file("kept", path))));
        assertThat(link.statusCode()).as(link.body()).isEqualTo(200);
        return URI.create(Json.parse(link.body()).path("url").asString());
    }

    /// Whatever stores something.
    private static Map<String, HttpRequest.Builder> doors(RestProduct product, URI link) {
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
        doors.put("a new key", post(product, "/v1/keys", "{\"name\":\"more\"}"));
        doors.put("a run over MCP", tool(product, "sandbox_execute", bash("echo x")));
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

    private static void assertRefused(String door, HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(door + ": " + answer.body()).isNotEqualTo(500);
        assertThat(answer.body())
                .as(door)
                .doesNotContain("fault number")
                .doesNotContain("-32603\"")
                .containsPattern("error|isError");
        if (door.contains("MCP") || door.contains("of a new thread") || door.contains("streams")) {
            return;
        }
        assertThat(answer.statusCode()).as(door + ": " + answer.body()).isIn(413, 429, 503);
        var error = Json.parse(answer.body());
        var message = error.path("message").asString();
        assertThat(message).as(door).isNotEmpty();
        if (message.toLowerCase(Locale.ROOT).contains("try again")) {
            assertThat(error.path("retryable").booleanValue()).as(answer.body()).isTrue();
            assertThat(error.path("retry_after_ms").longValue(0)).as(answer.body()).isPositive();
            assertThat(answer.headers().firstValue("Retry-After")).as(door).isPresent();
        }
    }

    @Test
    void every_door_says_so_and_what_was_acknowledged_stays() throws Exception {
        try (var product = product()) {
            var made =
                    product.send(
                            product.execute(bash("echo kept > file").put("thread_id", "kept")));
            assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
            var link = link(product, "up");
            fill();
            for (var door : doors(product, link).entrySet()) {
                fill();
                assertRefused(door.getKey(), product.send(door.getValue()));
            }
            assertThat(product.send(product.open("/healthz")).statusCode()).isEqualTo(200);
            assertThat(product.send(product.request("/v1/executions")).statusCode())
                    .isIn(List.of(200, 503));

            makeRoom();

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
            }
        }
    }
}

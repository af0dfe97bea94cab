package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A server that looks again for runners tells those whose tools change by it, in both eras.
@Tag("root")
@Timeout(180)
class ReloadTest {
    @Test
    void new_runners_are_news_to_those_who_listen(@TempDir Path directory) throws Exception {
        var images = Files.createDirectory(directory.resolve("images"));
        for (var each : List.of(directory, images)) {
            Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        try (var product = new TestProduct(directory, "sandbox.image_directory=" + images);
                var legacy = legacy(product);
                var modern = modern(product)) {
            var heard = legacy.iterator();
            var told = modern.iterator();
            await(heard, "listening");
            await(told, "acknowledged");

            makeImage(images.resolve("tiny"));
            product.server.core.reload();

            await(heard, "notifications/tools/list_changed");
            await(told, "notifications/tools/list_changed");
            assertThat(product.get("/v1/runners").toString()).contains("tiny");
        }
    }

    private static void await(Iterator<String> lines, String word) {
        while (lines.hasNext()) {
            if (lines.next().contains(word)) {
                return;
            }
        }
        throw new AssertionError("the stream ended without " + word);
    }

    private static Stream<String> legacy(TestProduct product) throws Exception {
        return opened(product.lines(product.request("/mcp").header("Accept", "text/event-stream")));
    }

    private static Stream<String> modern(TestProduct product) throws Exception {
        return opened(
                product.lines(
                        McpMessages.modern(
                                product.request("/mcp"),
                                "subscriptions/listen",
                                McpMessages.toolChanges())));
    }

    private static Stream<String> opened(HttpResponse<Stream<String>> answer) {
        assertThat(answer.statusCode()).isEqualTo(200);
        return answer.body();
    }

    /// Bash with the libraries it needs.
    private static void makeImage(Path image) throws Exception {
        var root = image.resolve("rootfs");
        for (var file :
                List.of(
                        "/usr/bin/bash",
                        "/usr/bin/env",
                        "/usr/bin/sh",
                        "/lib64/ld-linux-x86-64.so.2",
                        "/lib/x86_64-linux-gnu/libc.so.6",
                        "/lib/x86_64-linux-gnu/libtinfo.so.6")) {
            var to = root.resolve(file.substring(1));
            Files.createDirectories(to.getParent());
            Files.copy(Path.of(file).toRealPath(), to);
        }
        Files.createDirectories(root.resolve("etc"));
        Files.createSymbolicLink(root.resolve("bin"), Path.of("usr/bin"));
        Files.writeString(
                image.resolve("runner.yaml"),
                "language: bash\nlabels:\n  sandbox.runner: \"true\"\n");
    }
}

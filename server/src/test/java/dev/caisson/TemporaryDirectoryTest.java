package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A server leaves nothing in the system's temporary directory, however it ends.
@Tag("root")
@Timeout(300)
final class TemporaryDirectoryTest {
    @TempDir Path data;
    @TempDir Path temporary;

    private ChildServer server() throws IOException {
        return new ChildServer(
                data,
                Duration.ofSeconds(60),
                List.of(
                        "-Djava.io.tmpdir=" + temporary,
                        "-Dorg.sqlite.tmpdir=" + temporary,
                        "-XX:-UsePerfData"));
    }

    private List<Path> left() throws IOException {
        try (var files = Files.list(temporary)) {
            return files.toList();
        }
    }

    private List<String> libraries() throws IOException {
        try (var files = Files.list(data.resolve("native"))) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    /// Uses what has a native library: the database, and the compressor of archives.
    private static void use(ChildServer server) throws Exception {
        server.call(
                "\"name\":\"sandbox_execute\",\"arguments\":{\"language\":\"bash\","
                        + "\"code\":\"echo kept > file\",\"thread_id\":\"t\"}");
        assertThat(server.get("/v1/threads/t/archive?format=tar.zst").statusCode()).isEqualTo(200);
    }

    @Test
    void a_server_that_is_stopped_or_killed_leaves_nothing_there() throws Exception {
        try (var killed = server()) {
            use(killed);
            assertThat(left()).as("while it runs").isEmpty();
            killed.kill();
        }
        var libraries = libraries();
        assertThat(libraries).hasSize(2).allMatch(name -> name.matches("lib.+-[0-9].+\\.so"));
        assertThat(left()).as("after kill -9").isEmpty();

        Files.writeString(data.resolve("native").resolve("libformer-1.so"), "of a former version");
        Files.writeString(data.resolve("native").resolve(libraries.getFirst()), "cut off");
        try (var stopped = server()) {
            use(stopped);
            assertThat(stopped.stop()).isZero();
        }
        assertThat(left()).as("after a stop").isEmpty();
        assertThat(libraries()).isEqualTo(libraries);
    }
}

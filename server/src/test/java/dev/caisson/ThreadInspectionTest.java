package dev.caisson;

import static dev.caisson.TestProduct.bash;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// An operator looks into threads beside the server.
@Tag("root")
@Timeout(180)
final class ThreadInspectionTest {
    @TempDir Path directory;

    private final StringWriter said = new StringWriter();
    private final PrintWriter out = new PrintWriter(said);

    private static void run(TestProduct product, String thread, String code) throws Exception {
        var answer = product.send(product.execute(bash(code).put("thread_id", thread)));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    private String printed(ThreadInspection inspection, String thread, String path)
            throws Exception {
        var bytes = new ByteArrayOutputStream();
        inspection.print(thread, path, bytes);
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Test
    void threads_are_described_and_their_files_shown_while_the_server_runs() throws Exception {
        var before = Instant.now().minusSeconds(1);
        try (var product = new TestProduct(directory)) {
            run(
                    product,
                    "t/1",
                    "mkdir d; echo deep > d/file; ln -s /etc/passwd link; ln -s / root;"
                            + " touch $'esc\\e[2Jape'");
            run(product, "other", "echo x > y");
            var inspection = new ThreadInspection(product.config);

            inspection.list(true, out);
            var list = Json.parse(said.toString());
            assertThat(list).hasSize(2);
            var thread = list.get(1);
            assertThat(thread.path("id").asString()).isEqualTo("t/1");
            assertThat(thread.path("owner_name").asString()).isEqualTo("admin");
            assertThat(Instant.parse(thread.path("last_used").asString())).isAfter(before);
            var place =
                    product.config
                            .data()
                            .threadsDirectory()
                            .resolve("threads")
                            .resolve(thread.path("directory").asString());
            var meta = place.resolve("meta.json");
            assertThat(Json.parse(Files.readString(meta)).path("owner").asString())
                    .isEqualTo(thread.path("owner").asString());
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(meta)))
                    .isEqualTo("rw-------");

            said.getBuffer().setLength(0);
            inspection.files("t/1", "", false, out);
            assertThat(said.toString())
                    .contains("d/file", "link", "directory")
                    .doesNotContain("\u001b");
            assertThat(printed(inspection, "t/1", "d/file")).isEqualTo("deep\n");
            assertThat(printed(inspection, place.getFileName().toString(), "d/file"))
                    .isEqualTo("deep\n");
            for (var path : new String[] {"link", "root/etc/passwd", "../meta.json", "absent"}) {
                assertThatThrownBy(() -> printed(inspection, "t/1", path))
                        .as(path)
                        .isInstanceOf(Refusal.class);
            }
            assertThatThrownBy(() -> printed(inspection, "none", "d/file"))
                    .isInstanceOf(Refusal.class);
            run(product, "t/1", "test -e d/file");
        }
    }

    @Test
    void threads_of_a_version_that_described_none_are_shown_too() throws Exception {
        try (var product = new TestProduct(directory)) {
            run(product, "old", "echo kept > file");
            var desk = new ThreadInspection(product.config);
            desk.list(true, out);
            var described = Json.parse(said.toString()).get(0);
            var place = described.path("directory").asString();
            var root = product.config.data().threadsDirectory();
            Files.delete(root.resolve("threads").resolve(place).resolve("meta.json"));

            said.getBuffer().setLength(0);
            desk.list(true, out);
            var thread = Json.parse(said.toString()).get(0);
            assertThat(thread.path("id").asString()).isEqualTo("old");
            assertThat(thread.path("directory").asString()).isEqualTo(place);
            assertThat(thread.path("owner").asString()).isEmpty();
            Instant.parse(thread.path("last_used").asString());
            assertThat(printed(desk, "old", "file")).isEqualTo("kept\n");
            assertThat(printed(desk, place, "file")).isEqualTo("kept\n");

            try (var owners = Files.walk(root.resolve("owners"))) {
                for (var entry : owners.filter(Files::isRegularFile).toList()) {
                    Files.delete(entry);
                }
            }
            said.getBuffer().setLength(0);
            desk.list(false, out);
            assertThat(said.toString()).isEqualTo("-  -  - (-)  " + place + "\n");
            assertThat(printed(desk, place, "file")).isEqualTo("kept\n");
        }
    }
}

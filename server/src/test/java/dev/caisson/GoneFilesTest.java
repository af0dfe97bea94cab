package dev.caisson;

import static dev.caisson.TestProduct.bash;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/// Output and files that are gone from the disk are said to be gone, and not shown as empty.
@Tag("root")
@Timeout(180)
class GoneFilesTest {
    private TestProduct product;
    private Path data;

    @BeforeEach
    void start(@TempDir Path directory) throws Exception {
        product = new TestProduct(directory);
        data = directory.resolve("data");
    }

    @AfterEach
    void stop() {
        product.close();
    }

    private String run(ObjectNode arguments) throws Exception {
        var answer = product.send(product.execute(arguments));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return Json.parse(answer.body()).path("execution_id").stringValue();
    }

    private static void erase(Path top, String name) throws IOException {
        List<Path> found;
        try (var files = Files.walk(top)) {
            found = files.filter(file -> file.endsWith(name)).toList();
        }
        assertThat(found).isNotEmpty();
        for (var each : found) {
            try (var files = Files.walk(each)) {
                for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    @Test
    void output_that_is_gone_is_said_to_be() throws Exception {
        var id = run(bash("seq 100000"));
        assertThat(product.get("/v1/executions/" + id).path("output_kept").booleanValue()).isTrue();
        var silent = run(bash("true"));

        erase(data.resolve("output"), "stdout");

        var record = product.get("/v1/executions/" + id);
        assertThat(record.path("output_kept").booleanValue(true)).isFalse();
        assertThat(record.path("truncated").booleanValue()).isTrue();
        var piece = product.get("/v1/executions/" + id + "/output");
        assertThat(piece.path("output_kept").booleanValue(true)).isFalse();
        assertThat(piece.path("message").asString("")).contains("is not on this server any more");
        var stream = product.request("/v1/executions/" + id + "/output");
        assertThat(product.send(stream.header("Accept", "application/x-ndjson")).body())
                .contains("\"event\":\"output_gone\"");
        var other = product.get("/v1/executions/" + silent);
        assertThat(other.path("output_kept").booleanValue()).isTrue();
    }

    @Test
    void a_thread_whose_files_are_lost_is_in_the_list_and_hides_no_other() throws Exception {
        run(bash("echo 1 > file").put("thread_id", "lost"));

        erase(data.resolve("threads"), "workspace.img");

        run(bash("echo 1 > file").put("thread_id", "there"));
        var threads = product.get("/v1/threads").path("threads");
        assertThat(threads).hasSize(2);
        assertThat(threads.get(0).path("id").stringValue()).isEqualTo("lost");
        assertThat(threads.get(0).path("files_lost").booleanValue()).isTrue();
        assertThat(threads.get(1).path("files_lost").booleanValue(true)).isFalse();
    }
}

package dev.caisson;

import static dev.caisson.TestProduct.bash;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.json.Json;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What callers send along is small, over every door.
@Tag("root")
@Timeout(120)
class MetadataTest {
    private static final int BYTES_MAX = 16 << 10;

    @TempDir Path directory;

    /// @param bytes that it takes as compact JSON
    private static ObjectNode metadata(int bytes) {
        var empty = Json.bytes(Json.object().put("k", "")).length;
        return Json.object().put("k", "x".repeat(bytes - empty));
    }

    private static ObjectNode arguments(int bytes) {
        var arguments = bash("true");
        arguments.set("metadata", metadata(bytes));
        return arguments;
    }

    @Test
    void metadata_of_16_KiB_is_kept_and_one_byte_more_is_refused_over_rest() throws Exception {
        try (var product = new TestProduct(directory)) {
            var taken = product.send(product.execute(arguments(BYTES_MAX)));
            assertThat(taken.statusCode()).as(taken.body()).isEqualTo(200);
            var id = Json.parse(taken.body()).path("run_id").stringValue();
            assertThat(product.get("/v1/executions/" + id).path("metadata"))
                    .isEqualTo(metadata(BYTES_MAX));
            var list = product.get("/v1/executions");
            assertThat(list.path("executions")).hasSize(1);
            assertThat(Json.text(list).length()).isLessThan(2_000);

            var refused = product.send(product.execute(arguments(BYTES_MAX + 1)));
            assertThat(refused.statusCode()).isEqualTo(400);
            assertThat(refused.body()).contains("metadata takes 16,385 bytes", "16,384");
            for (var form : new String[] {"application/x-ndjson", "text/event-stream"}) {
                var streamed =
                        product.send(
                                product.execute(arguments(BYTES_MAX + 1)).header("Accept", form));
                assertThat(streamed.statusCode()).as(form).isEqualTo(400);
            }
            var later =
                    product.send(
                            product.execute(arguments(BYTES_MAX + 1))
                                    .header("Prefer", "respond-async"));
            assertThat(later.statusCode()).isEqualTo(400);
        }
    }

    @Test
    void the_same_over_mcp() throws Exception {
        try (var product = new TestProduct(directory)) {
            assertThat(Json.text(call(product, BYTES_MAX))).contains("success");
            assertThat(Json.text(call(product, BYTES_MAX + 1))).contains("metadata takes 16,385");
        }
    }

    /// Neither an identifier of 30 digits nor a long decimal is what a double makes of it.
    @Test
    void numbers_come_back_as_they_were_given_over_every_door() throws Exception {
        var numbers =
                "{\"id\":123456789012345678901234567890,\"pi\":3.14159265358979323846264338327950288,"
                        + "\"huge\":1E+400,\"deep\":[{\"n\":-9007199254740993.25}]}";
        var arguments = bash("true");
        arguments.set("metadata", Json.parse(numbers));
        try (var product = new TestProduct(directory)) {
            var given = "\"metadata\":" + numbers;
            var inline = product.send(product.execute(arguments));
            assertThat(inline.body()).contains(given);
            var id = Json.parse(inline.body()).path("run_id").stringValue();
            assertThat(product.send(product.request("/v1/executions/" + id)).body())
                    .contains(given);
            for (var form : new String[] {"application/x-ndjson", "text/event-stream"}) {
                assertThat(product.send(product.execute(arguments).header("Accept", form)).body())
                        .as(form)
                        .contains(given);
            }
            var once = product.execute(arguments).header("Idempotency-Key", "k");
            assertThat(product.send(once).body()).contains(given);
            assertThat(product.send(once).body()).as("made again").contains(given);
            assertThat(call(product, arguments).path("body").stringValue()).contains(given);
        }
    }

    private static JsonNode call(TestProduct product, int bytes) throws Exception {
        return call(product, arguments(bytes));
    }

    private static JsonNode call(TestProduct product, ObjectNode arguments) throws Exception {
        var params = McpMessages.tool("sandbox_execute", arguments);
        var answer =
                product.send(McpMessages.modern(product.request("/mcp"), "tools/call", params));
        return Json.object().put("body", answer.body());
    }
}

package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.json.Json;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Background runs of a server that stops: they end, and their records say so.
@Tag("root")
class BackgroundStopTest {
    @TempDir Path directory;

    @Test
    void a_server_that_stops_ends_its_background_runs_and_the_next_one_knows_them()
            throws Exception {
        String id;
        String rest;
        String key;
        var program = TestProduct.bash("echo begun; sleep 600").put("timeout", 600);
        try (var product = new TestProduct(directory)) {
            key = product.key;
            id =
                    call(product, key, "sandbox_execute", program.put("background", true))
                            .path("execution_id")
                            .stringValue();
            rest =
                    Json.parse(product.send(product.execute(program)).body())
                            .path("execution_id")
                            .stringValue();
        }
        try (var product = new TestProduct(directory)) {
            var wait = Json.object().put("execution_id", id);
            var report = call(product, key, "execution_wait", wait);
            var other = call(product, key, "execution_wait", wait.put("execution_id", rest));
            assertThat(report.path("status").stringValue()).isEqualTo("cancelled");
            assertThat(other.path("status")).isEqualTo(report.path("status"));
        }
    }

    private static JsonNode call(TestProduct product, String key, String tool, ObjectNode arguments)
            throws Exception {
        var to = product.open("/mcp").header("Authorization", "Bearer " + key);
        var params = McpMessages.tool(tool, arguments);
        return McpMessages.response(
                        product.send(McpMessages.legacy(to, "tools/call", params)).body())
                .at("/result/structuredContent");
    }
}

package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// What is learned of the results of a server's tools is in their stubs, where its entry asks for
/// it.
@Tag("root")
@Timeout(120)
class LearnedTypesProductTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir Path directory;
    private HttpUpstream remote;
    private String[] settings;

    @BeforeEach
    void open() throws IOException {
        remote = new HttpUpstream("forecast");
        var file = directory.resolve("upstreams.yaml");
        Files.writeString(
                file,
                """
                learning: {url: %1$s, learn: true, calls: {forecast: {effect: read}}}
                plain: {url: %1$s, calls: {forecast: {effect: read}}}
                """
                        .formatted(remote.url()));
        settings =
                new String[] {
                    "upstreams.file=" + file,
                    "upstreams.private_hosts=127.0.0.1",
                    "environments.bake=false"
                };
    }

    @AfterEach
    void close() throws IOException {
        remote.close();
    }

    /// Also of a product that was started again.
    private String key = "";

    private JsonNode described(TestProduct product, String server) throws Exception {
        var tool =
                product.open("/v1/tools/" + server + "/forecast")
                        .header("Authorization", "Bearer " + key);
        return Json.parse(product.send(tool).body());
    }

    private void call(TestProduct product, String server, int times) throws Exception {
        await().atMost(PATIENCE).until(() -> described(product, server).has("stub"));
        for (int time = 0; time < times; time++) {
            var answer =
                    product.send(
                            TestProduct.post(
                                    product.request("/v1/tools/" + server + "/forecast/call"),
                                    Json.object()));
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        }
    }

    @Test
    void stubs_say_what_came_also_after_a_restart() throws Exception {
        try (var product = new TestProduct(directory, settings)) {
            key = product.key;
            call(product, "learning", 4);
            assertThat(described(product, "learning").path("learned").isNull()).isTrue();
            call(product, "learning", 1);
            var tool = described(product, "learning");
            assertThat(tool.path("learned").stringValue()).isEqualTo("learned from 5 results");
            assertThat(tool.path("stub").stringValue())
                    .contains("-> str:", "learned from 5 results")
                    .doesNotContain("rain");
            call(product, "plain", 6);
            assertThat(described(product, "plain").path("learned").isNull()).isTrue();
        }
        try (var product = new TestProduct(directory, settings)) {
            call(product, "learning", 0);
            assertThat(described(product, "learning").path("learned").stringValue())
                    .isEqualTo("learned from 5 results");
        }
    }
}

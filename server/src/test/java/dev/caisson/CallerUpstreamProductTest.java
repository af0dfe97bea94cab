package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.json.Json;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// A command with `per: caller`, through the whole product: each key has a process, files and a
/// secret of its own.
@Tag("root")
@Timeout(180)
class CallerUpstreamProductTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir Path directory;

    @TempDir(factory = UpstreamProductTest.OutsideTmp.class)
    Path shown;

    @Test
    void what_one_key_leaves_no_other_finds() throws Exception {
        Files.setPosixFilePermissions(shown, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (var script = UpstreamProductTest.class.getResourceAsStream("notes-server.py")) {
            assertThat(script).isNotNull();
            Files.copy(script, shown.resolve("server.py"));
        }
        var file = directory.resolve("upstreams.yaml");
        Files.writeString(
                file,
                """
                notes:
                  command: [python3, %s/server.py]
                  show: [%s]
                  per: caller
                  trust: trusted
                  calls: {add_note: {effect: read}}
                  env: {TOKEN: "${caller:token}"}
                  memory_bytes: 128MiB
                """
                        .formatted(shown, shown));
        try (var product =
                new TestProduct(directory, "upstreams.file=" + file, "environments.bake=false")) {
            keep(product, "token");
            product.server.core.upstreams.upstreams.restart("notes");
            await().atMost(PATIENCE)
                    .until(() -> !product.get("/v1/tools?server=notes").path("tools").isEmpty());
            var one = key(product);
            var other = key(product);
            var stranger = key(product);
            keep(product, "token--" + one.path("id").stringValue());
            keep(product, "token--" + other.path("id").stringValue());

            var added = call(product, one, "add_note", "{\"text\": \"mine\"}");
            assertThat(added).doesNotContain("error\":\"");
            assertThat(call(product, one, "list-notes", "{}")).contains("mine");
            assertThat(call(product, other, "list-notes", "{}"))
                    .contains("notes")
                    .doesNotContain("mine");
            assertThat(call(product, stranger, "list-notes", "{}"))
                    .contains("AuthorizationRequired", "token--");
            assertThat(UpstreamProductTest.alive(shown + "/server.py")).isNotEmpty();
        }
        assertThat(UpstreamProductTest.alive(shown + "/server.py")).isEmpty();
    }

    private static void keep(TestProduct product, String name) throws Exception {
        var value = Json.text(Json.object().put("value", "value-of-" + name));
        var set =
                product.request("/v1/secrets/" + name)
                        .header("Content-Type", "application/json")
                        .PUT(BodyPublishers.ofString(value));
        assertThat(product.send(set).statusCode()).isEqualTo(200);
    }

    private static JsonNode key(TestProduct product) throws Exception {
        var wanted = Json.object().put("name", "runner");
        wanted.putArray("scopes").add("run").add("tools");
        var made = product.send(TestProduct.post(product.request("/v1/keys"), wanted));
        return Json.parse(made.body());
    }

    private static String call(TestProduct product, JsonNode key, String tool, String arguments)
            throws Exception {
        var body = Json.object();
        body.set("arguments", Json.parse(arguments));
        var to =
                product.open("/v1/tools/notes/" + tool + "/call")
                        .header("Authorization", "Bearer " + key.path("secret").stringValue());
        return product.send(TestProduct.post(to, body)).body();
    }
}

package dev.caisson;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.identity.Vault;
import dev.caisson.json.Json;
import dev.caisson.telemetry.LogCapture;
import dev.caisson.telemetry.TestCollector;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Secrets of the vault from outside: values go in, and nothing of the server shows them.
@Tag("root")
@Timeout(180)
class SecretProductTest {
    private static final String VALUE = "correct-horse-battery-staple";

    @TempDir Path directory;

    private static HttpResponse<String> put(
            TestProduct product, String key, String name, String json) throws Exception {
        return product.send(
                product.open("/v1/secrets/" + name)
                        .header("Authorization", "Bearer " + key)
                        .header("Content-Type", "application/json")
                        .PUT(BodyPublishers.ofString(json)));
    }

    private static String body(String value) {
        return Json.text(Json.object().put("value", value));
    }

    private static void assertShows(HttpResponse<String> answer, int status) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.body()).doesNotContain(VALUE);
    }

    private static List<String> recorded(TestProduct product) throws Exception {
        return product.get("/v1/ledger?limit=200")
                .get("entries")
                .valueStream()
                .filter(entry -> entry.get("tool").stringValue().contains("ecret"))
                .map(entry ->
                        entry.get("tool").stringValue()
                                + " "
                                + entry.get("door").stringValue()
                                + " "
                                + entry.get("status").stringValue())
                .toList()
                .reversed();
    }

    @Test
    void a_value_goes_in_and_is_in_no_answer_ledger_log_span_or_file() throws Exception {
        try (var log = new LogCapture();
                var collector = new TestCollector();
                var product =
                        new TestProduct(
                                directory, "telemetry.otlp_endpoint=" + collector.endpoint())) {
            assertShows(put(product, product.key, "github", body(VALUE)), 200);
            assertShows(put(product, product.key, "github", "{\"value\":" + VALUE + "}"), 400);
            assertShows(
                    put(product, product.key, "github", "{\"value\":[\"" + VALUE + "\"]}"), 400);
            assertShows(put(product, product.key, "Wrong", body(VALUE)), 400);
            assertShows(
                    put(
                            product,
                            product.key,
                            "github",
                            body((VALUE + "ä").repeat(Vault.VALUE_BYTES_MAX / 30 + 1))),
                    400);
            assertShows(product.send(product.request("/v1/secrets")), 200);
            assertShows(product.send(product.request("/v1/secrets/github")), 405);
            assertThat(product.server.core.vault.value("github")).isEqualTo(VALUE);

            assertShows(product.send(product.request("/v1/secrets/github").DELETE()), 204);
            assertShows(product.send(product.request("/v1/secrets/github").DELETE()), 404);
            assertThat(recorded(product))
                    .contains(
                            "secret_set rest success",
                            "secret_set rest refused:invalid_argument",
                            "secret_list rest success",
                            "secret_remove rest success",
                            "secret_remove rest refused:not_found");
            assertThat(product.get("/v1/ledger?limit=200").toString()).doesNotContain(VALUE);
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> collector.everything().contains("secret_set"));
            assertThat(collector.everything()).doesNotContain(VALUE);
            assertThat(log.text()).doesNotContain(VALUE);
        }
        try (var files = Files.walk(directory)) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                if (Files.size(file) < 16 << 20) {
                    assertThat(new String(Files.readAllBytes(file), UTF_8).contains(VALUE))
                            .as(file.toString())
                            .isFalse();
                }
            }
        }
    }

    @Test
    void only_an_administrator_sees_or_changes_secrets() throws Exception {
        try (var product = new TestProduct(directory)) {
            var wanted = Json.object().put("name", "runner");
            wanted.putArray("scopes").add("run").add("audit");
            var made = product.send(TestProduct.post(product.request("/v1/keys"), wanted));
            var runner = Json.parse(made.body()).get("secret").stringValue();
            assertShows(put(product, runner, "github", body(VALUE)), 403);
            for (var ask :
                    List.of(
                            product.open("/v1/secrets").GET(),
                            product.open("/v1/secrets/github").DELETE())) {
                assertShows(product.send(ask.header("Authorization", "Bearer " + runner)), 403);
            }
            assertThat(recorded(product))
                    .containsExactlyInAnyOrder(
                            "setSecret rest refused:forbidden",
                            "listSecrets rest refused:forbidden",
                            "removeSecret rest refused:forbidden");
        }
    }

    @Test
    void a_server_with_another_key_names_what_it_cannot_use() throws Exception {
        try (var product = new TestProduct(directory, "vault.key=" + "a".repeat(32))) {
            assertShows(put(product, product.key, "github", body(VALUE)), 200);
        }
        try (var log = new LogCapture();
                var product = new TestProduct(directory, "vault.key=" + "b".repeat(32))) {
            assertThat(log.text())
                    .contains("sealed with another key cannot be used: github", "vault.key")
                    .doesNotContain("b".repeat(32));
            var vault = product.server.core.vault;
            assertThat(vault.list().getFirst().usable()).isFalse();
            vault.put("github", VALUE);
            assertThat(vault.value("github")).isEqualTo(VALUE);
        }
    }
}

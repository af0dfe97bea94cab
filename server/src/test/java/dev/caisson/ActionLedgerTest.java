package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.caisson.cli.KeyAdmin;
import dev.caisson.json.Json;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Everything a door does for a caller leaves one entry in the ledger of the real product, with
/// caller, door and outcome, whether it is a tool or not.
@Timeout(120)
@Tag("root")
class ActionLedgerTest {
    @TempDir Path directory;

    private static final ObjectNode FILE =
            Json.object().put("source", "thread").put("id", "t").put("path", "a.txt");

    private final List<JsonNode> seen = new ArrayList<>();

    private static List<JsonNode> all(TestProduct product) throws Exception {
        return product.get("/v1/ledger?limit=200").get("entries").valueStream().toList().reversed();
    }

    private void assertFresh(TestProduct product, String... entries) throws Exception {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> all(product).size() >= seen.size() + entries.length);
        assertThat(fresh(product)).containsExactly(entries);
    }

    /// Entries since the last time, as `action door outcome`. Those of calls that change nothing
    /// are there a moment later.
    private List<String> fresh(TestProduct product) throws Exception {
        var all = all(product);
        var fresh = all.subList(seen.size(), all.size());
        seen.addAll(fresh);
        return fresh.stream()
                .filter(entry -> !entry.get("tool").stringValue().equals("key_first_use"))
                .map(entry ->
                        String.join(
                                " ",
                                entry.get("tool").stringValue(),
                                entry.get("door").stringValue(),
                                entry.get("status").stringValue()))
                .toList();
    }

    private String caller(int fromLast) {
        return seen.get(seen.size() - 1 - fromLast).get("caller").stringValue();
    }

    private static JsonNode posted(TestProduct product, String path, ObjectNode body, int status)
            throws Exception {
        var answer = product.send(TestProduct.post(product.request(path), body));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        return Json.parse(answer.body());
    }

    private static void deleted(TestProduct product, String path, int status) throws Exception {
        var answer = product.send(product.request(path).DELETE());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    }

    private static String local(TestProduct product, JsonNode link) {
        return link.get("url")
                .stringValue()
                .substring(product.server.address().toString().length());
    }

    @Test
    void volumes_are_changed_on_record() throws Exception {
        try (var product = new TestProduct(directory)) {
            fresh(product);
            var name = Json.object().put("name", "data");
            posted(product, "/v1/volumes", name, 201);
            assertFresh(product, "volume_create rest success");
            var me = caller(0);
            assertThat(me).startsWith("key:");
            posted(product, "/v1/volumes", name, 409);
            assertFresh(product, "volume_create rest refused:conflict");

            var other = posted(product, "/v1/keys", Json.object().put("name", "other"), 201);
            var grant = "/v1/volumes/data/grants/" + other.get("id").stringValue();
            fresh(product);
            var put =
                    product.send(
                            product.request(grant)
                                    .header("Content-Type", "application/json")
                                    .PUT(BodyPublishers.ofString("{\"access\":\"read\"}")));
            assertThat(put.statusCode()).as(put.body()).isEqualTo(200);
            deleted(product, grant, 204);
            deleted(product, grant, 404);
            deleted(product, "/v1/volumes/data", 204);
            deleted(product, "/v1/volumes/data", 404);
            assertFresh(
                    product,
                    "volume_grant rest success",
                    "volume_revoke rest success",
                    "volume_revoke rest refused:not_found",
                    "volume_delete rest success",
                    "volume_delete rest refused:not_found");
            assertThat(caller(0)).isEqualTo(me);
        }
    }

    @Test
    void runs_are_ended_and_the_secret_of_webhooks_is_read_on_record() throws Exception {
        try (var product = new TestProduct(directory)) {
            fresh(product);
            product.get("/v1/webhooks/secret");
            assertFresh(product, "webhook_secret_read rest success");
            var over = Json.parse(product.send(product.execute(TestProduct.bash("true"))).body());
            assertFresh(product, "sandbox_execute rest success");
            deleted(product, "/v1/executions/" + over.get("execution_id").stringValue(), 409);
            assertFresh(product, "execution_cancel rest refused:conflict");

            var lasting = product.execute(TestProduct.bash("sleep 600"));
            var begun = Json.parse(product.send(lasting.header("Prefer", "respond-async")).body());
            deleted(product, "/v1/executions/" + begun.get("execution_id").stringValue(), 200);
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> all(product).size() >= seen.size() + 2);
            assertThat(fresh(product))
                    .containsExactlyInAnyOrder(
                            "execution_cancel rest success", "sandbox_execute rest failed");
        }
    }

    @Test
    void files_go_and_come_by_links_on_record_in_the_name_of_who_made_the_link() throws Exception {
        try (var product = new TestProduct(directory)) {
            fresh(product);
            var store = posted(product, "/v1/files/upload", FILE, 200);
            assertFresh(product, "file_upload_link rest success");
            var me = caller(0);
            var stored =
                    product.send(
                            product.open(local(product, store))
                                    .PUT(BodyPublishers.ofString("hello")));
            assertThat(stored.statusCode()).as(stored.body()).isEqualTo(200);
            var again =
                    product.send(
                            product.open(local(product, store))
                                    .header("If-None-Match", "*")
                                    .PUT(BodyPublishers.ofString("hello")));
            assertThat(again.statusCode()).isEqualTo(412);
            assertFresh(product, "file_upload rest success", "file_upload rest refused:changed");
            assertThat(caller(0)).isEqualTo(me);
            assertThat(caller(1)).isEqualTo(me);

            var fetch = posted(product, "/v1/files/download", FILE, 200);
            posted(product, "/v1/files/download", FILE.deepCopy().put("path", "none"), 404);
            assertThat(product.send(product.open(local(product, fetch))).body()).isEqualTo("hello");
            assertFresh(
                    product,
                    "file_download_link rest success",
                    "file_download_link rest refused:not_found",
                    "file_download rest success");
            assertThat(caller(0)).isEqualTo(me);
            assertThat(seen.getLast().get("result_bytes").longValue()).isEqualTo(5);

            assertThat(product.send(product.open(local(product, fetch) + "0")).statusCode())
                    .isEqualTo(403);
            assertThat(fresh(product)).as("a link that is not valid is nobody's").isEmpty();

            posted(product, "/v1/files/delete", FILE.deepCopy(), 200);
            assertThat(product.send(product.open(local(product, fetch))).statusCode())
                    .isEqualTo(404);
            assertFresh(
                    product, "files_delete rest success", "file_download rest refused:not_found");
        }
    }

    @Test
    void threads_are_archived_and_deleted_on_record() throws Exception {
        try (var product = new TestProduct(directory)) {
            var store = posted(product, "/v1/files/upload", FILE, 200);
            product.send(product.open(local(product, store)).PUT(BodyPublishers.ofString("hello")));
            fresh(product);
            var archive = product.bytes(product.request("/v1/threads/t/archive"));
            var bytes = archive.body().readAllBytes();
            assertThat(archive.statusCode()).isEqualTo(200);
            assertFresh(product, "archive_download rest success");
            assertThat(seen.getLast().get("result_bytes").longValue()).isEqualTo(bytes.length);
            assertThat(product.send(product.request("/v1/threads/none/archive")).statusCode())
                    .isEqualTo(404);
            deleted(product, "/v1/threads/t", 204);
            deleted(product, "/v1/threads/t", 404);
            assertFresh(
                    product,
                    "archive_download rest refused:not_found",
                    "thread_delete rest success",
                    "thread_delete rest refused:not_found");
        }
    }

    @Test
    void a_resource_is_read_on_record() throws Exception {
        try (var product = new TestProduct(directory)) {
            posted(product, "/v1/files/upload", FILE, 200);
            fresh(product);
            for (var uri : List.of("caisson://thread/t", "caisson://thread/none")) {
                var read =
                        Json.object()
                                .put("jsonrpc", "2.0")
                                .put("id", 1)
                                .put("method", "resources/read");
                read.putObject("params").put("uri", uri);
                product.send(
                        TestProduct.post(product.request("/mcp"), read)
                                .header("Accept", "application/json, text/event-stream"));
            }
            assertFresh(
                    product,
                    "resource_read mcp success",
                    "resource_read mcp refused:unknown_resource");
        }
    }

    @Test
    void a_route_that_a_key_may_not_use_is_on_record() throws Exception {
        try (var product = new TestProduct(directory)) {
            var wanted = Json.object().put("name", "runner");
            wanted.putArray("scopes").add("run");
            var runner = posted(product, "/v1/keys", wanted, 201);
            fresh(product);
            var denied =
                    product.send(
                            product.open("/v1/keys")
                                    .header(
                                            "Authorization",
                                            "Bearer " + runner.get("secret").stringValue()));
            assertThat(denied.statusCode()).isEqualTo(403);
            assertFresh(product, "listKeys rest refused:forbidden");
            assertThat(caller(0)).isEqualTo("key:" + runner.get("id").stringValue());
        }
    }

    @Test
    void the_doctor_and_changes_of_tasks_are_on_record() throws Exception {
        try (var product = new TestProduct(directory)) {
            fresh(product);
            posted(product, "/v1/doctor", Json.object(), 200);
            var cancel =
                    Json.object().put("jsonrpc", "2.0").put("id", 1).put("method", "tasks/cancel");
            var meta = cancel.putObject("params").put("taskId", "none").putObject("_meta");
            meta.put("io.modelcontextprotocol/protocolVersion", "2026-07-28");
            meta.putObject("io.modelcontextprotocol/clientCapabilities")
                    .putObject("extensions")
                    .putObject("io.modelcontextprotocol/tasks");
            product.send(
                    TestProduct.post(product.request("/mcp"), cancel)
                            .header("Accept", "application/json, text/event-stream")
                            .header("MCP-Protocol-Version", "2026-07-28")
                            .header("Mcp-Method", "tasks/cancel")
                            .header("Mcp-Name", "none"));
            assertFresh(product, "doctor rest success", "task_cancel mcp refused:not_found");
        }
    }

    @Test
    void keys_that_are_refused_are_on_record_at_every_door() throws Exception {
        try (var product = new TestProduct(directory)) {
            fresh(product);
            var wrong = Json.object().put("name", "x");
            wrong.putArray("scopes").add("nothing");
            posted(product, "/v1/keys", wrong, 400);
            posted(product, "/v1/keys", Json.object().put("name", " "), 400);
            // Another process writes behind what the server has in its journal.
            all(product);
            try (var keys = new StoredKeyAdmin(product.config, Clock.systemUTC())) {
                assertThat(keys.revoke("nobody")).isFalse();
                var refused =
                        catchThrowable(() ->
                                keys.create(
                                        new KeyAdmin.Wanted(
                                                "none",
                                                Set.of(),
                                                Set.of(),
                                                List.of(),
                                                Optional.empty(),
                                                false)));
                assertThat(refused).hasMessageContaining("at least one scope");
            }
            assertFresh(
                    product,
                    "key_create rest refused:invalid_argument",
                    "key_create rest refused:invalid_argument",
                    "key_revoke cli refused:not_found",
                    "key_create cli refused:invalid_argument");
            assertThat(caller(0)).isEqualTo("local");
            var out = new StringWriter();
            assertThat(
                            OfflineCommands.verify(
                                    product.config.data(),
                                    Optional.empty(),
                                    false,
                                    new PrintWriter(out)))
                    .as(out.toString())
                    .isZero();
        }
    }
}

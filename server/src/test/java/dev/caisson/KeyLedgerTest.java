package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.call.Scope;
import dev.caisson.cli.KeyAdmin;
import dev.caisson.json.Json;
import dev.caisson.ledger.Ledger;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// What happens to keys, and which execution a run became, are in the ledger of the real product.
@Tag("root")
@Timeout(120)
class KeyLedgerTest {
    @TempDir Path directory;

    private static List<JsonNode> entries(TestProduct product) throws Exception {
        return product.get("/v1/ledger?limit=200").get("entries").valueStream().toList().reversed();
    }

    private static List<String> acts(List<JsonNode> entries) {
        return entries.stream()
                .filter(entry -> entry.get("tool").stringValue().startsWith("key_"))
                .map(entry ->
                        String.join(
                                " ",
                                entry.get("tool").stringValue(),
                                entry.get("door").stringValue(),
                                entry.get("status").stringValue()))
                .toList();
    }

    private static KeyAdmin.Wanted wanted(String name) {
        return new KeyAdmin.Wanted(
                name, Set.of(Scope.RUN), Set.of(), List.of(), Optional.empty(), false);
    }

    private static String verified(TestProduct product) throws Exception {
        var out = new StringWriter();
        var code =
                OfflineCommands.verify(
                        product.config.data(), Optional.empty(), false, new PrintWriter(out));
        assertThat(code).as(out.toString()).isZero();
        return out.toString();
    }

    @Test
    void keys_made_revoked_and_first_used_by_any_door_are_in_the_ledger() throws Exception {
        try (var product = new TestProduct(directory)) {
            var made =
                    Json.parse(
                            product.send(
                                            TestProduct.post(
                                                    product.request("/v1/keys"),
                                                    Json.object().put("name", "by rest")))
                                    .body());
            var id = made.get("id").stringValue();
            var secret = made.get("secret").stringValue();
            for (var i = 0; i < 2; i++) {
                var seen =
                        product.send(
                                product.open("/v1/whoami")
                                        .header("Authorization", "Bearer " + secret));
                assertThat(seen.statusCode()).isLessThan(500);
            }
            product.send(product.request("/v1/keys/" + id).DELETE());
            product.send(product.request("/v1/keys/nobody").DELETE());
            // Another process writes behind what the server has in its journal.
            entries(product);
            String other;
            try (var desk = new StoredKeyAdmin(product.config, Clock.systemUTC())) {
                other = desk.create(wanted("by command")).id();
                desk.revoke(other);
            }

            var entries = entries(product);
            assertThat(acts(entries))
                    .containsExactly(
                            "key_create inside success",
                            "key_first_use rest success",
                            "key_create rest success",
                            "key_first_use rest success",
                            "key_revoke rest success",
                            "key_revoke rest refused:not_found",
                            "key_create cli success",
                            "key_revoke cli success");
            assertThat(entries.toString()).doesNotContain(secret).doesNotContain(product.key);
            assertThat(entries.get(2).get("key_id").stringValue()).isEqualTo(id);
            assertThat(entries.get(3).get("caller").stringValue()).isEqualTo("key:" + id);
            assertThat(entries.get(2).get("caller").stringValue())
                    .isEqualTo(entries.get(1).get("caller").stringValue());
            assertThat(entries.getLast().get("key_id").stringValue()).isEqualTo(other);
            verified(product);
        }
    }

    @Test
    void the_chain_stays_whole_while_the_command_line_writes_beside_a_server() throws Exception {
        try (var product = new TestProduct(directory);
                var desk = new StoredKeyAdmin(product.config, Clock.systemUTC());
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var jobs = new ArrayList<Callable<String>>();
            for (var i = 0; i < 20; i++) {
                var name = "key " + i;
                jobs.add(() -> desk.create(wanted(name)).id());
                jobs.add(() ->
                        product.send(
                                        TestProduct.post(
                                                product.request("/v1/keys"),
                                                Json.object().put("name", name)))
                                .body());
                jobs.add(() -> product.send(product.request("/v1/runners")).body());
            }
            for (var done : threads.invokeAll(jobs)) {
                assertThat(done.get()).isNotEmpty();
            }
            verified(product);
            assertThat(acts(entries(product)))
                    .filteredOn(act -> act.startsWith("key_create"))
                    .hasSize(41);
        }
    }

    @Test
    void an_entry_of_a_run_names_its_execution_and_hashes_its_metadata() throws Exception {
        try (var product = new TestProduct(directory)) {
            var one = run(product, "secret plan");
            var same = run(product, "secret plan");
            var other = run(product, "another");
            var runs =
                    entries(product).stream()
                            .filter(each ->
                                    each.get("tool").stringValue().equals("sandbox_execute"))
                            .toList();
            assertThat(runs)
                    .extracting(each -> each.get("execution_id").stringValue())
                    .containsExactly(one, same, other);
            var hashes =
                    runs.stream().map(each -> each.get("metadata_hash").stringValue()).toList();
            assertThat(hashes).allMatch(hash -> hash.matches("hmac-sha256:[0-9a-f]{64}"));
            assertThat(hashes.get(0)).isEqualTo(hashes.get(1)).isNotEqualTo(hashes.get(2));
            assertThat(runs.toString()).doesNotContain("secret plan");
            verified(product);
            try (var store = Database.open(product.config.data())) {
                var exported = new StringWriter();
                new Ledger(store).export(exported);
                assertThat(exported.toString()).contains("\"execution_id\":\"" + one + "\"");
            }
        }
    }

    private static String run(TestProduct product, String note) throws Exception {
        var arguments = TestProduct.bash("echo 1");
        arguments.putObject("metadata").put("note", note);
        var answer = product.send(product.execute(arguments));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        var body = Json.parse(answer.body());
        return body.get("execution_id").stringValue();
    }
}

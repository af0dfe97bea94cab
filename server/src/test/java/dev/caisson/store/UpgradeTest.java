package dev.caisson.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What an upgrade makes of rows that are there already.
@Timeout(120)
final class UpgradeTest extends DatabaseTestCase {
    private static void key(TestDatabase database, String id) {
        database.execute(
                "INSERT INTO api_key (id, name, secret_hash, scopes, toolsets, created_at)"
                        + " VALUES ('%s', 'n', '%s', '[]', '[]', 0)".formatted(id, id));
    }

    private static void scopes(TestDatabase database, String id, String scopes) {
        key(database, id);
        database.execute("UPDATE api_key SET scopes = '%s' WHERE id = '%s'".formatted(scopes, id));
    }

    @Test
    void keys_of_administrators_may_call_tools_and_approve_calls() {
        database.migrateTo("55");
        scopes(database, "admin", "[\"admin\"]");
        scopes(database, "both", "[\"run\",\"admin\",\"audit\"]");
        scopes(database, "other", "[\"run\",\"audit\"]");
        try (var store = database.open()) {
            List<String> scopes =
                    store.read(handle ->
                            handle.query("SELECT scopes FROM api_key ORDER BY id")
                                    .mapTo(String.class)
                                    .list());
            assertThat(scopes)
                    .containsExactly(
                            "[\"admin\",\"approve\",\"tools\"]",
                            "[\"run\",\"admin\",\"approve\",\"tools\",\"audit\"]",
                            "[\"run\",\"audit\"]");
        }
    }

    private static void call(TestDatabase database, int sequence, String caller, long at) {
        database.execute(
                "INSERT INTO ledger_entry (sequence, at, caller, door, tool, arguments_hash,"
                        + " result_bytes, status, duration_micros, redactions, trace_id, previous_hash,"
                        + " hash) VALUES (%d, %d, '%s', 'd', 't', 'a', 0, 's', 0, 0, 't', 'p', 'h')"
                                .formatted(sequence, at, caller));
    }

    @Test
    void a_key_that_was_used_before_is_not_used_for_the_first_time_afterwards() {
        database.migrateTo("46");
        key(database, "used");
        key(database, "unused");
        call(database, 1, "key:other", 500);
        call(database, 2, "key:used", 2000);
        call(database, 3, "key:used", 1000);
        try (var store = database.open()) {
            Map<String, Long> used =
                    store.read(handle ->
                            handle.query(
                                            "SELECT id, COALESCE(first_used_at, -1) AS used"
                                                    + " FROM api_key")
                                    .numbers("id", "used"));
            assertThat(used).isEqualTo(Map.of("used", 1000L, "unused", -1L));
        }
    }
}

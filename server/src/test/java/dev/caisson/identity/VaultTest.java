package dev.caisson.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.store.DatabaseTestCase;
import dev.caisson.store.Store;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Secrets of the vault on both databases.
@Timeout(120)
final class VaultTest extends DatabaseTestCase {
    private static final String VALUE = "correct-horse-battery-staple";
    private static final VaultKey KEY = key("0123456789abcdef0123456789abcdef");
    private static final VaultKey OTHER = key("fedcba9876543210fedcba9876543210");

    private final TestClock clock = new TestClock();
    private Store store;
    private Vault vault;

    private static VaultKey key(String text) {
        return new VaultSettings(Optional.of(text)).sealing(new byte[32]);
    }

    @BeforeEach
    void open() {
        store = database.open();
        vault = new Vault(store, clock, KEY);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private List<Map.Entry<String, String>> rows() {
        return store.read(handle ->
                handle.query("SELECT nonce, value FROM secret ORDER BY name")
                        .map(row -> Map.entry(row.getString("nonce"), row.getString("value")))
                        .list());
    }

    private static void assertRefused(ThrowingCallable work, Reason reason, String... words) {
        assertThatThrownBy(work)
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> {
                            assertThat(refusal.reason()).isEqualTo(reason);
                            assertThat(refusal.sentence()).contains(words).doesNotContain(VALUE);
                        });
    }

    @Test
    void a_value_is_sealed_replaced_listed_by_name_and_removed() {
        assertThat(vault.put("github", VALUE))
                .isEqualTo(new VaultEntry("github", clock.instant(), true));
        vault.put("a-1_b", "ä€𝄞\0\n");
        assertThat(vault.value("github")).isEqualTo(VALUE);
        assertThat(vault.value("a-1_b")).isEqualTo("ä€𝄞\0\n");
        assertThat(vault.list()).extracting(VaultEntry::name).containsExactly("a-1_b", "github");
        assertThat(vault.list().toString()).doesNotContain(VALUE);

        vault.put("github", "another");
        assertThat(vault.value("github")).isEqualTo("another");
        assertThat(vault.list()).hasSize(2);
        vault.remove("github");
        assertRefused(() -> vault.value("github"), Reason.NOT_FOUND, "github");
        assertRefused(() -> vault.remove("github"), Reason.NOT_FOUND, "github");
    }

    @Test
    void the_database_has_no_value_and_every_write_a_nonce_of_its_own() {
        vault.put("one", VALUE);
        var first = rows().getFirst();
        vault.put("one", VALUE);
        var second = rows().getFirst();
        assertThat(first.getKey()).hasSize(16).isNotEqualTo(second.getKey());
        assertThat(first.getValue()).isNotEqualTo(second.getValue());
        var base64 = Base64.getDecoder().decode(first.getValue());
        assertThat(new String(base64, StandardCharsets.ISO_8859_1)).doesNotContain("horse");
        assertThat(base64).hasSize(VALUE.length() + 16);
    }

    @Test
    void a_value_under_another_key_is_named_with_the_remedy() {
        vault.put("mine", VALUE);
        var other = new Vault(store, clock, OTHER);
        other.put("theirs", VALUE);
        assertThat(other.list())
                .extracting(VaultEntry::name, VaultEntry::usable)
                .containsExactly(tuple("mine", false), tuple("theirs", true));
        assertRefused(
                () -> other.value("mine"),
                Reason.UNAVAILABLE,
                "mine",
                "another key",
                "vault.key",
                "caisson secret set");
        assertThat(other.warning().orElseThrow()).contains("mine").doesNotContain("theirs");
        other.put("mine", VALUE);
        assertThat(other.value("mine")).isEqualTo(VALUE);
        assertThat(other.warning()).isEmpty();
    }

    @Test
    void a_row_that_was_changed_or_moved_is_named_and_does_not_open() {
        vault.put("one", VALUE);
        vault.put("two", "other");
        for (var change :
                List.of(
                        "UPDATE secret SET value = (SELECT value FROM secret WHERE name = 'two'),"
                                + " nonce = (SELECT nonce FROM secret WHERE name = 'two')"
                                + " WHERE name = 'one'",
                        "UPDATE secret SET nonce = 'AAAA' WHERE name = 'one'",
                        "UPDATE secret SET value = 'no Base64' WHERE name = 'one'",
                        "UPDATE secret SET value = '' WHERE name = 'one'")) {
            vault.put("one", VALUE);
            store.write(handle -> handle.execute(change));
            assertRefused(() -> vault.value("one"), Reason.UNAVAILABLE, "one", "was changed");
        }
    }

    @Test
    void a_name_is_short_and_plain() {
        for (var good : List.of("a", "0", "a".repeat(64), "a_b-c")) {
            vault.put(good, VALUE);
        }
        for (var bad : List.of("", "a".repeat(65), "A", "-a", "_a", "a.b", "a/b", "a\n", "ä")) {
            assertRefused(() -> vault.put(bad, VALUE), Reason.INVALID_ARGUMENT, "name");
            assertRefused(() -> vault.value(bad), Reason.INVALID_ARGUMENT, "name");
            assertRefused(() -> vault.remove(bad), Reason.INVALID_ARGUMENT, "name");
        }
    }

    @Test
    void a_value_has_one_byte_to_64_kib() {
        vault.put("short", "x");
        var longest = "ä".repeat(Vault.VALUE_BYTES_MAX / 2);
        vault.put("long", longest);
        assertThat(vault.value("long")).isEqualTo(longest);
        assertRefused(() -> vault.put("long", longest + "x"), Reason.INVALID_ARGUMENT, "65536");
        assertRefused(() -> vault.put("long", ""), Reason.INVALID_ARGUMENT, "1 to");
        assertRefused(() -> vault.put("long", "\ud800"), Reason.INVALID_ARGUMENT, "UTF-8");
        assertThat(vault.value("long")).isEqualTo(longest);
    }

    @Test
    void there_are_at_most_1000_secrets() {
        store.write(handle -> {
            for (var i = 1; i < Vault.COUNT_MAX; i++) {
                VaultRows.put(handle, "s" + i, KEY.seal("s" + i, new byte[1]), clock.instant());
            }
            return true;
        });
        vault.put("last", VALUE);
        assertRefused(() -> vault.put("more", VALUE), Reason.CONFLICT, "1000");
        vault.put("last", "replaced");
        vault.remove("s1");
        vault.put("more", VALUE);
        assertThat(vault.list()).hasSize(Vault.COUNT_MAX);
        assertThat(new Vault(store, clock, OTHER).warning().orElseThrow()).contains("and others");
    }

    @Test
    void two_servers_on_one_database_see_each_others_changes() {
        try (var second = database.open()) {
            var beside = new Vault(second, clock, KEY);
            vault.put("shared", VALUE);
            assertThat(beside.value("shared")).isEqualTo(VALUE);
            beside.put("shared", "newer");
            assertThat(vault.value("shared")).isEqualTo("newer");
            beside.remove("shared");
            assertThat(vault.list()).isEmpty();
        }
    }

    @Test
    void the_key_is_the_configured_one_or_that_of_the_file() {
        var file = new VaultSettings(Optional.empty()).sealing(new byte[32]);
        var again = new VaultSettings(Optional.empty()).sealing(new byte[32]);
        assertThat(file.id()).hasSize(16).isEqualTo(again.id()).isNotEqualTo(KEY.id());
        assertThat(again.open("n", file.seal("n", new byte[] {7})).orElseThrow())
                .containsExactly(7);
        assertThat(KEY.open("n", file.seal("n", new byte[] {7}))).isEmpty();
        assertThat(new VaultSettings(Optional.of(VALUE)).toString()).doesNotContain(VALUE);
    }
}

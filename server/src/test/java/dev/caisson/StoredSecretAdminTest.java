package dev.caisson;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.cli.Caisson;
import dev.caisson.json.Json;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Secrets of the vault on the command line, and what a backup does with them.
@Timeout(120)
final class StoredSecretAdminTest {
    private static final String VALUE = "correct-horse-battery-staple";
    private static final String KEY = "vault.key=" + "k".repeat(32);

    @TempDir Path directory;

    private record Ended(int code, String out, String err) {
        Ended {
            assertThat(out + err).doesNotContain(VALUE).doesNotContain("Exception");
        }
    }

    private Ended run(String data, String... args) {
        var all = new ArrayList<>(List.of(args));
        all.addAll(List.of("--data", directory.resolve(data).toString()));
        var out = new StringWriter();
        var err = new StringWriter();
        var code =
                Caisson.run(
                        new Commands(Clock.systemUTC()),
                        new PrintWriter(out, true),
                        new PrintWriter(err, true),
                        all.toArray(String[]::new));
        return new Ended(code, out.toString(), err.toString());
    }

    private Ended set(String value, String... args) {
        var before = System.in;
        System.setIn(new ByteArrayInputStream(value.getBytes(UTF_8)));
        try {
            return run("data", args);
        } finally {
            System.setIn(before);
        }
    }

    @Test
    void a_secret_is_set_listed_and_removed_on_record() throws Exception {
        var set = set(VALUE + "\n", "secret", "set", "github");
        assertThat(set.code()).as(set.err()).isZero();
        assertThat(set.out()).contains("The secret github is set.");
        assertThat(Json.parse(set(VALUE, "secret", "set", "b", "--json").out()).get("name"))
                .isEqualTo(Json.tree("b"));
        assertThat(run("data", "secret", "list").out()).contains("github", "usable");
        var listed = Json.parse(run("data", "secret", "list", "--json").out());
        assertThat(listed).hasSize(2);
        assertThat(listed.get(0).propertyNames())
                .containsExactlyInAnyOrder("name", "updated_at", "usable");

        assertThat(run("data", "secret", "remove", "b").code()).isZero();
        var gone = run("data", "secret", "remove", "b");
        assertThat(gone.code()).isEqualTo(1);
        assertThat(gone.err()).contains("There is no secret b.");
        var ledger = run("data", "ledger", "export").out();
        assertThat(ledger)
                .contains("secret_set", "secret_list", "secret_remove", "refused:not_found");
        try (var files = Files.list(directory.resolve("data"))) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                assertThat(new String(Files.readAllBytes(file), UTF_8))
                        .as(file.toString())
                        .doesNotContain(VALUE);
            }
        }
    }

    @Test
    void mistakes_are_told_and_change_nothing() {
        assertThat(set("", "secret", "set", "a").err()).contains("no value");
        assertThat(set(VALUE, "secret", "set", "A").err()).contains("small letters");
        assertThat(set("x".repeat((64 << 10) + 1), "secret", "set", "a").err()).contains("65536");
        assertThat(set("", "secret", "set", "a", "typed").code()).isEqualTo(2);
        assertThat(set(VALUE, "secret", "set", "a", "--set", "vault.key=short").code())
                .isEqualTo(2);
        assertThat(set(VALUE, "secret", "set", "a", "--set", KEY.substring(0, 41)).err())
                .contains("vault.key");
        assertThat(run("data", "secret", "list").out()).contains("There are no secrets");
        assertThat(set(VALUE, "secret", "set", "a", "--set", KEY).code()).isZero();
    }

    @Test
    void a_restored_secret_opens_with_its_key_and_is_reported_with_another() {
        assertThat(set(VALUE, "secret", "set", "github", "--set", KEY).code()).isZero();
        var backup = directory.resolve("backup").toString();
        assertThat(run("data", "backup", backup).code()).isZero();
        var restored = run("new", "restore", backup);
        assertThat(restored.code()).as(restored.err()).isZero();

        var with = run("new", "secret", "list", "--set", KEY);
        assertThat(with.out()).contains("github", "usable");
        assertThat(with.err()).isEmpty();
        var without = run("new", "secret", "list");
        assertThat(without.out()).contains("github", "sealed with another key");
        assertThat(without.err()).contains("vault.key", "set them again");
    }
}

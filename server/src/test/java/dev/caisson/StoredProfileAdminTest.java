package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.cli.Caisson;
import dev.caisson.json.Json;
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

/// Profiles on the command line.
@Timeout(120)
final class StoredProfileAdminTest {
    private static final String SECRET = "correct-horse-battery";

    @TempDir Path directory;

    private record Ended(int code, String out, String err) {}

    private Ended run(String... args) {
        var all = new ArrayList<>(List.of(args));
        all.addAll(List.of("--data", directory.resolve("data").toString()));
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

    private String file(String json) throws Exception {
        return Files.writeString(directory.resolve("profile.json"), json).toString();
    }

    @Test
    void a_profile_is_set_shown_given_to_a_key_and_removed() throws Exception {
        var file =
                file(
                        "{\"description\":\"few\",\"cpus\":0.5,\"secret_env_vars\":{\"TOKEN\":\"%s\"}}"
                                .formatted(SECRET));
        var set = run("profile", "set", "small", "--file", file);
        assertThat(set.code()).as(set.err()).isZero();
        assertThat(run("profile", "list").out()).contains("small", "stored", "few", "default");
        var shown = run("profile", "show", "small").out();
        assertThat(shown).contains("TOKEN").doesNotContain(SECRET);
        assertThat(Json.parse(shown).get("cpus").doubleValue()).isEqualTo(0.5);

        var key = run("key", "create", "k", "--profile", "small", "--env", "PLACE=north", "--json");
        assertThat(key.code()).as(key.err()).isZero();
        assertThat(
                        Json.parse(run("key", "list", "--json").out())
                                .get(0)
                                .get("profile")
                                .stringValue())
                .isEqualTo("small");
        var used = run("profile", "remove", "small");
        assertThat(used.code()).isEqualTo(1);
        assertThat(used.err()).contains("1 key has the profile small");

        run("key", "revoke", Json.parse(key.out()).get("id").stringValue());
        assertThat(run("profile", "remove", "small").code()).isZero();
        assertThat(run("profile", "show", "small").code()).isEqualTo(1);
    }

    @Test
    void mistakes_are_told_and_change_nothing() throws Exception {
        assertThat(run("profile", "set", "a", "--file", file("{\"cpu\":1}")).err()).contains("cpu");
        assertThat(run("profile", "set", "a", "--file", file("nonsense")).code()).isEqualTo(2);
        assertThat(run("profile", "set", "a", "--file", file("[]")).code()).isEqualTo(2);
        assertThat(run("profile", "set", "a", "--file", "/nonexistent").code()).isEqualTo(2);
        assertThat(
                        run(
                                        "profile",
                                        "set",
                                        "a",
                                        "--file",
                                        file("{\"env_vars\":{\"PATH\":\"x\"}}"))
                                .err())
                .contains("may not set PATH");
        var key = run("key", "create", "k", "--profile", "smal");
        assertThat(key.code()).isEqualTo(1);
        assertThat(key.err()).contains("There is no profile of this name");
        assertThat(run("key", "create", "k", "--secret-env", "NOT_THERE_AT_ALL").err())
                .contains("NOT_THERE_AT_ALL is not in the environment");
        assertThat(Json.parse(run("profile", "list", "--json").out()).size()).isEqualTo(1);
    }

    @Test
    void a_profile_of_the_configuration_is_shown_and_not_changed() throws Exception {
        var set =
                run(
                        "profile",
                        "set",
                        "small",
                        "--file",
                        file("{}"),
                        "--set",
                        "profiles.small.cpus=0.5");
        assertThat(set.err()).contains("defined in the configuration");
        assertThat(run("profile", "list", "--set", "profiles.small.cpus=0.5").out())
                .contains("configuration");
    }
}

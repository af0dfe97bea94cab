package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.cli.Caisson;
import dev.caisson.environments.Wheels;
import dev.caisson.json.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Environments on the command line, baked in real sandboxes.
@Tag("root")
@Timeout(300)
final class StoredEnvironmentAdminTest {
    @TempDir Path directory;
    private String index = "";

    private record Ended(int code, String out, String err) {}

    @BeforeEach
    void publish() throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        index =
                Wheels.publish(
                        directory.resolve("registry"), "tiny", "1.0", Wheels.plain("tiny", "1.0"));
    }

    private Ended run(String... args) {
        var all = new ArrayList<>(List.of(args));
        if (all.size() > 1 && !all.contains("--help")) {
            all.addAll(List.of("--data", directory.resolve("data").toString()));
            all.addAll(List.of("--set", "environments.registries=" + index));
        }
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

    private String file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text).toString();
    }

    @Test
    void an_environment_is_baked_listed_and_removed() throws Exception {
        var lock = file("requirements.lock", "tiny==1.0\n");
        var baked = run("environment", "bake", "own", "--python", lock, "--preload", "tiny");
        assertThat(baked.code()).as(baked.out() + baked.err()).isZero();
        assertThat(baked.out())
                .startsWith("No host is asked.\n== fetch\n")
                .contains("== install\n")
                .endsWith("== done\n");

        var table = run("environment", "list").out().lines().toList();
        assertThat(table.getFirst()).startsWith("NAME").endsWith("BAKED");
        assertThat(table).filteredOn(line -> line.startsWith("own ")).hasSize(1);
        var listed = Json.parse(run("environment", "list", "--json").out());
        assertThat(listed).hasSize(1);
        assertThat(listed.get(0).path("name").stringValue()).isEqualTo("own");
        assertThat(listed.get(0).path("hash").stringValue()).matches("[0-9a-f]{64}");
        assertThat(listed.get(0).path("packages").intValue()).isEqualTo(1);
        assertThat(listed.get(0).path("bytes").longValue()).isPositive();
        assertThat(listed.get(0).path("baked_at").stringValue()).startsWith("20");

        var removed = run("environment", "remove", "own");
        assertThat(removed.code()).as(removed.err()).isZero();
        assertThat(removed.out()).contains("The environment own was removed.");
        assertThat(Json.parse(run("environment", "list", "--json").out())).isEmpty();
        var again = run("environment", "remove", "own");
        assertThat(again.code()).isEqualTo(1);
        assertThat(again.err()).contains("There is no environment own. There are: none.");
    }

    @Test
    void a_bake_that_fails_says_why_and_ends_with_1() throws Exception {
        var lock = file("requirements.lock", "absent==1.0\n");
        var failed = run("environment", "bake", "own", "--python", lock);
        assertThat(failed.code()).isEqualTo(1);
        assertThat(failed.out()).contains("The step fetch failed: ", "absent==1.0");
        assertThat(Json.parse(run("environment", "list", "--json").out())).isEmpty();
    }

    @Test
    void mistakes_are_told_and_nothing_is_baked() throws Exception {
        var without = run("environment", "bake", "own");
        assertThat(without.code()).isNotZero();
        assertThat(without.err()).contains("needs a lock: give --python, --node or both");
        var absent = run("environment", "bake", "own", "--python", "/nonexistent");
        assertThat(absent.code()).isNotZero();
        assertThat(absent.err()).contains("Cannot read /nonexistent.");
        var lock = file("requirements.lock", "--index-url https://elsewhere.example/\n");
        var refused = run("environment", "bake", "own", "--python", lock);
        assertThat(refused.code()).isNotZero();
        assertThat(refused.err()).contains("Options, addresses and paths are not taken.");
        var named = run("environment", "bake", "Own", "--python", file("good.lock", "tiny\n"));
        assertThat(named.code()).isNotZero();
        assertThat(named.err()).contains("small letters");
        var mistyped = run("environment", "bake", "own", "--pyton", lock);
        assertThat(mistyped.code()).isEqualTo(2);
        assertThat(mistyped.err()).contains("--python");
    }

    @Test
    void every_command_has_help() {
        assertThat(run("environment", "--help").out())
                .contains("(bake | list | remove)", "caisson environment bake data");
        assertThat(run("environment", "bake", "--help").out())
                .contains("--python=FILE", "--node=FILE", "--preload=MODULE");
        assertThat(run("environment", "list", "--help").out()).contains("--json");
        assertThat(run("environment", "remove", "--help").out()).contains("NAME");
        var alone = run("environment");
        assertThat(alone.code()).isEqualTo(2);
        assertThat(alone.err()).contains("See `caisson environment --help`.");
    }
}

package dev.caisson.acceptance.product;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.acceptance.judge.Program;
import dev.caisson.acceptance.judge.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Steps of the launcher `caisson`, each called by itself, with what takes minutes replaced.
final class LauncherTest {
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final String COMMANDS = "\ncase \"${1:---help} ${2:-}\" in\n";

    @TempDir Path directory;

    /// The launcher without the end that looks at its arguments.
    @BeforeEach
    void takeFunctions() throws IOException {
        var launcher = Files.readString(Repository.root().resolve("caisson"));
        assertThat(launcher).containsOnlyOnce(COMMANDS);
        Files.writeString(
                directory.resolve("caisson"), launcher.substring(0, launcher.indexOf(COMMANDS)));
        Files.createSymbolicLink(directory.resolve("deploy"), Repository.root().resolve("deploy"));
        Files.createDirectories(directory.resolve(".caisson/build"));
    }

    @Test
    void a_recording_is_made_at_once_and_waits_for_one_under_way() {
        assertThat(said("record \"$work/build\"")).isEqualTo("trained\n");
        assertThat(said("record \"$work/build\" --nonblock")).isEqualTo("trained\n");
        assertThat(said("ready=\"$work/build\"; record_now 2>&1"))
                .contains("recording how the server is used")
                .doesNotContain("did not work");
    }

    @Test
    void a_recording_behind_a_server_leaves_one_under_way_alone() {
        var other = "exec 5>\"$work/build/record.lock\"; flock 5; ";
        assertThat(said(other + "record \"$work/build\" --nonblock 5>&-")).isEmpty();
    }

    @Test
    void a_failed_build_shows_what_went_wrong_and_not_the_way_there() throws IOException {
        var way = "    at org.example.Thing.run (Thing.java:1)\n".repeat(80);
        Files.writeString(
                directory.resolve(".caisson/build.log"), "npm ERR! no certificate\n" + way);
        assertThat(said("build_complaint")).isEqualTo("npm ERR! no certificate\n");
    }

    @Test
    void the_launcher_of_a_package_names_every_command_of_the_product() throws IOException {
        var packed = Files.createDirectory(directory.resolve("packed"));
        for (var name : List.of("launcher.sh", "java-flags.sh")) {
            Files.copy(Repository.root().resolve("deploy").resolve(name), packed.resolve(name));
        }
        Files.writeString(packed.resolve("VERSION"), "1.2.3\n");
        var help = List.of("bash", packed.resolve("launcher.sh").toString(), "--help");
        var lines = Program.run(help, directory, Map.of(), LIMIT).expect(0).out().lines();
        var usage = said("usage");
        var product = usage.substring(usage.indexOf("  serve "), usage.indexOf("\n\nThe project:"));
        assertThat(lines).containsAll(product.lines().toList());
    }

    private String said(String step) {
        var script =
                """
                . "$0"
                train() { echo trained; : >"$1/app.aot"; }
                patiently() { shift; "$@"; }
                rm -f "$work/build/app.aot"
                """;
        return Program.run(
                        List.of("bash", "-c", script + step, directory + "/caisson"),
                        directory,
                        Map.of(),
                        LIMIT)
                .expect(0)
                .out();
    }
}

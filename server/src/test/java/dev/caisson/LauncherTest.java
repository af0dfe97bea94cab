package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.config.Version;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The launcher's own words, which need no build.
class LauncherTest {
    private static final Path LAUNCHER = Repository.ROOT.resolve("caisson");

    @TempDir Path directory;

    private record Ran(int code, String out) {}

    @Test
    void it_is_one_script_that_bash_understands() throws Exception {
        assertThat(LAUNCHER).isExecutable();
        assertThat(Repository.ROOT.resolve(".ci/run")).isExecutable();
        assertThat(run("bash", "-n", LAUNCHER.toString())).isEqualTo(new Ran(0, ""));
    }

    /// With `pipefail`, `head` fails whatever still writes to it when it has enough, and the
    /// launcher with it: at the end of a green run, now and then.
    @Test
    void nothing_is_piped_into_a_program_that_stops_reading() throws Exception {
        for (var script : List.of("caisson", "deploy/package.sh")) {
            assertThat(Files.readString(Repository.ROOT.resolve(script)))
                    .doesNotContainPattern("\\|\\s*head\\b");
        }
    }

    @Test
    void help_names_every_command() throws Exception {
        var help = run(LAUNCHER.toString(), "--help");

        assertThat(help.code()).isZero();
        assertThat(help.out())
                .contains(
                        "serve", "stdio", "key", "ledger", "backup", "restore", "config", "doctor")
                .contains("test ", "verify", "conformance", "bench", "--version");
        assertThat(run(LAUNCHER.toString())).isEqualTo(help);
    }

    @Test
    void also_commands_that_are_not_the_products_own_explain_themselves() throws Exception {
        for (var command : List.of("test", "verify", "conformance", "bench")) {
            var help = run(LAUNCHER.toString(), command, "--help");
            assertThat(help.code()).isZero();
            assertThat(help.out()).startsWith("Usage: caisson " + command);
        }
    }

    /// With an empty path to programs, and nowhere to find a JDK.
    @Test
    void without_a_jdk_it_says_what_to_type() throws Exception {
        var copy = Files.createDirectory(directory.resolve("clone"));
        Files.copy(LAUNCHER, copy.resolve("caisson"));
        Files.copy(Repository.ROOT.resolve("pom.xml"), copy.resolve("pom.xml"));
        Files.createDirectory(copy.resolve("deploy"));
        Files.copy(
                Repository.ROOT.resolve("deploy/java-flags.sh"),
                copy.resolve("deploy/java-flags.sh"));
        var text = Files.readString(copy.resolve("caisson")).replace("/usr/lib/jvm/*", "/none/*");
        Files.writeString(copy.resolve("caisson"), text.replace("/opt/*jdk*", "/none/*"));

        var ran =
                run(
                        "env",
                        "-i",
                        "PATH=" + emptyOfJava(),
                        "HOME=" + directory,
                        "bash",
                        copy.resolve("caisson").toString(),
                        "doctor");
        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.out())
                .contains("no JDK 25 found", "needs a JDK 25", "curl -fL https://")
                .doesNotContain("No such file");
    }

    /// What the launcher uses itself, and neither Java nor a package manager.
    private String emptyOfJava() throws IOException {
        var programs = Files.createDirectory(directory.resolve("programs"));
        for (var name : List.of("bash", "readlink", "dirname", "id", "uname", "cat", "sed")) {
            Files.createSymbolicLink(programs.resolve(name), Path.of("/usr/bin", name));
        }
        return programs.toString();
    }

    @Test
    void a_machine_of_two_cores_has_the_serial_collector_unless_another_is_named()
            throws Exception {
        assertThat(flags(2, "")).contains("-XX:+UseSerialGC");
        assertThat(flags(2, "-XX:MaxRAMPercentage=40")).contains("-XX:+UseSerialGC");
        assertThat(flags(2, "-Xss1m -XX:+UseG1GC")).doesNotContain("-XX:+UseSerialGC");
        if (memoryBytes() > 8L << 30) {
            assertThat(flags(8, "")).doesNotContain("GC");
        }
    }

    private static long memoryBytes() throws IOException {
        var first = Files.readAllLines(Path.of("/proc/meminfo")).getFirst();
        return Long.parseLong(first.replaceAll("\\D", "")) << 10;
    }

    /// As on a machine with so many cores.
    private String flags(int cores, String options) throws Exception {
        var script =
                "nproc() { echo %d; }; . '%s'; java_flags /build caisson; printf '%%s\n' \"${flags[@]}\""
                        .formatted(cores, Repository.ROOT.resolve("deploy/java-flags.sh"));
        var ran = run("env", "CAISSON_JVM_OPTIONS=" + options, "bash", "-euc", script);
        assertThat(ran.code()).as(ran.out()).isZero();
        return ran.out();
    }

    /// A build records behind a lock that it waits for.
    @Test
    void waiting_for_a_recording_is_not_an_error() throws Exception {
        var text = Files.readString(LAUNCHER);
        var record = text.substring(text.indexOf("\nrecord() {"), text.indexOf("\nrecord_now()"));
        var script =
                "train() { echo trained \"$1\"; touch \"$1/app.aot\"; }; %s\nrecord '%s'; record '%s' --nonblock"
                        .formatted(record, directory, directory);
        assertThat(run("bash", "-euc", script))
                .isEqualTo(new Ran(0, "trained " + directory + "\n"));
    }

    @Test
    void a_command_that_does_not_exist_is_named_with_those_that_do() throws Exception {
        var wrong = run(LAUNCHER.toString(), "sevre");

        assertThat(wrong.code()).isEqualTo(2);
        assertThat(wrong.out()).contains("'sevre'", "serve");
    }

    @Test
    void version_is_the_products_from_any_directory_and_through_a_link() throws Exception {
        var link = Files.createSymbolicLink(directory.resolve("a link"), LAUNCHER);

        assertThat(run(link.toString(), "--version"))
                .isEqualTo(new Ran(0, "caisson " + Version.TEXT + "\n"));
    }

    @Test
    void it_works_in_a_path_with_spaces() throws Exception {
        var copy = Files.createDirectory(directory.resolve("a path with spaces"));
        Files.copy(LAUNCHER, copy.resolve("caisson"));
        Files.copy(Repository.ROOT.resolve("pom.xml"), copy.resolve("pom.xml"));
        Files.createDirectory(copy.resolve("deploy"));
        Files.copy(
                Repository.ROOT.resolve("deploy/java-flags.sh"),
                copy.resolve("deploy/java-flags.sh"));

        assertThat(run("bash", copy.resolve("caisson").toString(), "--version").out())
                .isEqualTo("caisson " + Version.TEXT + "\n");
    }

    private Ran run(String... command) throws IOException, InterruptedException {
        var process =
                new ProcessBuilder(command)
                        .directory(directory.toFile())
                        .redirectErrorStream(true)
                        .start();
        var out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Ran(process.exitValue(), out);
    }
}

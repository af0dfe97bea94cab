package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.json.Json;
import dev.caisson.sandbox.runners.ImageManifest;
import dev.caisson.sandbox.runners.Interpreter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@Tag("root")
@ExtendWith(Rig.Shared.class)
class RunnersTest {
    private final Rig rig;

    RunnersTest(Rig rig) {
        this.rig = rig;
    }

    @Test
    void every_language_of_this_host_is_found_with_its_real_version() {
        var runners = rig.sandboxes().runners();
        assertThat(runners.missing()).isEmpty();
        assertThat(runners.available())
                .extracting(Runner::name)
                .containsExactly("python", "node", "typescript", "bash");
        assertThat(runners.available())
                .allSatisfy(runner -> assertThat(runner.version()).matches("\\d+\\.\\d+.*"));
        assertThat(runners.named("python")).isEqualTo(runners.of(Language.PYTHON));
        assertThat(runners.named("cobol")).isEmpty();
    }

    @Test
    void typescript_says_what_transpiles_it_and_what_runs_it() throws Exception {
        var node = rig.sandboxes().runners().of(Language.NODE).orElseThrow().version();
        var lock = Json.parse(Files.readAllBytes(Rig.guests().resolve("node/package-lock.json")));
        var esbuild =
                lock.path("packages").path("node_modules/esbuild").path("version").asString("");
        assertThat(rig.sandboxes().runners().of(Language.TYPESCRIPT).orElseThrow().version())
                .isEqualTo("%s (esbuild) on Node.js %s".formatted(esbuild, node));
        assertThat(Interpreter.of(Language.TYPESCRIPT).accept("0.28.2 (esbuild) on Node.js 19.1.0"))
                .isEmpty();
    }

    @Test
    void an_interpreter_that_is_too_old_is_not_accepted() {
        var python = Interpreter.of(Language.PYTHON);
        assertThat(python.accept("3.11.0\n")).hasValue("3.11.0");
        assertThat(python.accept("3.10.9")).isEmpty();
        assertThat(python.accept("4.0.0")).isPresent();
        assertThat(python.accept("no number")).isEmpty();
        assertThat(Interpreter.of(Language.NODE).accept("19.9.9")).isEmpty();
        assertThat(Interpreter.of(Language.NODE).accept("20.0.0")).isPresent();
    }

    @Test
    void a_run_on_a_runner_that_is_gone_is_blocked() throws Exception {
        var gone = new Runner("python", Language.PYTHON, "2.7", "host");
        var run =
                new Run(
                        "x",
                        gone,
                        "print(1)",
                        Rig.LIMITS,
                        Map.of(),
                        new Workspace.Directory(rig.workspace()),
                        new Rig.Output());
        assertThat(rig.sandboxes().run(run))
                .isInstanceOfSatisfying(
                        Outcome.Blocked.class,
                        blocked -> assertThat(blocked.why()).contains("python"));
    }

    @Test
    void a_sandbox_that_cannot_be_made_does_not_tell_where() throws Exception {
        var nowhere = Path.of("/nonexistent/place-of-the-host");
        var result = rig.run(Language.BASH, "echo ran", Rig.LIMITS, nowhere, Map.of());
        assertThat(result.stdout()).isEmpty();
        assertThat(result.outcome())
                .isInstanceOfSatisfying(
                        Outcome.Blocked.class,
                        blocked ->
                                assertThat(blocked.why())
                                        .contains("No sandbox", "log")
                                        .doesNotContain("/"));
    }

    @Test
    void manifests_are_read_with_or_without_labels() {
        var plain =
                Json.parse("{\"language\":\"bash\",\"entry\":\"/bin/bash\",\"name\":\"small\"}");
        assertThat(ImageManifest.parse(Path.of("/i/x"), plain))
                .hasValue(
                        new ImageManifest(
                                "small", Language.BASH, "/bin/bash", Path.of("/i/x/rootfs")));
        var labelled =
                Json.parse(
                        "{\"labels\":{\"sandbox.runner\":\"true\",\"sandbox.language\":\"python\"}}");
        assertThat(ImageManifest.parse(Path.of("/i/runner-python"), labelled))
                .hasValue(
                        new ImageManifest(
                                "runner-python",
                                Language.PYTHON,
                                "/usr/bin/python3",
                                Path.of("/i/runner-python/rootfs")));
        assertThat(
                        ImageManifest.parse(
                                Path.of("/i/x"),
                                Json.parse("{\"labels\":{\"sandbox.language\":\"python\"}}")))
                .isEmpty();
        assertThat(ImageManifest.parse(Path.of("/i/x"), Json.parse("{\"language\":\"cobol\"}")))
                .isEmpty();
    }

    /// An image of a few files: bash with the libraries it needs.
    @Test
    void a_program_runs_in_an_image_of_its_own(@TempDir Path images) throws Exception {
        open(images);
        var image = images.resolve("tiny");
        var root = image.resolve("rootfs");
        for (var file :
                new String[] {
                    "/usr/bin/bash",
                    "/usr/bin/env",
                    "/usr/bin/sh",
                    "/lib64/ld-linux-x86-64.so.2",
                    "/lib/x86_64-linux-gnu/libc.so.6",
                    "/lib/x86_64-linux-gnu/libtinfo.so.6"
                }) {
            var to = root.resolve(file.substring(1));
            Files.createDirectories(to.getParent());
            Files.copy(Path.of(file).toRealPath(), to);
        }
        Files.createDirectories(root.resolve("etc"));
        Files.writeString(root.resolve("etc/motto"), "small is fine\n");
        Files.createSymbolicLink(root.resolve("bin"), Path.of("usr/bin"));
        Files.writeString(
                image.resolve("runner.yaml"),
                "language: bash\nlabels:\n  sandbox.runner: \"true\"\n");
        var settings =
                new SettingsForTests(rig.directory().resolve("with-image"), Rig.guests())
                        .images(images)
                        .build();
        try (var sandboxes = Sandboxes.open(settings)) {
            var runner =
                    sandboxes
                            .runners()
                            .named("tiny")
                            .orElseThrow(() -> new AssertionError(sandboxes.runners().missing()));
            assertThat(runner.image()).isEqualTo("tiny");
            var output = new Rig.Output();
            var run =
                    new Run(
                            "i",
                            runner,
                            "echo $(</etc/motto); echo /usr/bin/*",
                            Rig.LIMITS.withWall(Duration.ofSeconds(20)),
                            Map.of(),
                            new Workspace.Directory(rig.workspace()),
                            output);
            assertThat(sandboxes.run(run)).isInstanceOf(Outcome.Exited.class);
            assertThat(output.text(output.stdout))
                    .isEqualTo("small is fine\n/usr/bin/bash /usr/bin/env /usr/bin/sh\n");
        }
    }

    private static void open(Path directory) throws java.io.IOException {
        Files.setPosixFilePermissions(
                directory, java.nio.file.attribute.PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}

package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What a program finds of its packages, and who gets them.
class PackageEnvironmentTest {
    private static final Runner PYTHON =
            new Runner("python", Language.PYTHON, "3.11.2", Runner.HOST);
    private static final PackageEnvironment DATA = environment("data", "3.11", true);
    private static final PackageEnvironment DEV = environment("dev", "3.11", false);

    private static PackageEnvironment environment(String name, String python, boolean node) {
        return new PackageEnvironment(
                name,
                "ab12",
                Path.of("/d", name),
                Optional.of(python),
                node,
                List.of(),
                List.of("numpy"),
                1,
                Instant.EPOCH);
    }

    private static Runners runners(List<PackageEnvironment> all, String... usual) {
        var boot = new Boot(new Root(List.of()), List.of("python3"), Map.of(), List.of("main.py"));
        var image = new Runner("other", Language.PYTHON, "3.9.1", "other");
        return new Runners(Map.of(PYTHON, boot, image, boot), List.of())
                .with(all, List.of(usual), List.of());
    }

    @Test
    void the_first_of_the_list_is_looked_in_first_and_what_the_caller_set_before_it() {
        var variables = PYTHON.with(List.of(DATA, DEV)).variables(Map.of("PYTHONPATH", "/mine"));
        assertThat(variables)
                .containsEntry(
                        "PYTHONPATH",
                        "/mine:/opt/env/data/python:/opt/env/dev/python:/run/guest/child")
                .containsEntry("NODE_PATH", "/opt/env/data/node/node_modules")
                .containsEntry(
                        "PATH",
                        "/opt/env/data/bin:/opt/env/data/node/node_modules/.bin:/opt/env/dev/bin:"
                                + ProgramEnvironment.PATH);
    }

    @Test
    void without_packages_nothing_is_set() {
        assertThat(PYTHON.variables(Map.of("A", "b"))).isEqualTo(Map.of("A", "b"));
    }

    @Test
    void a_sandbox_with_packages_is_of_another_shape_and_preloads() {
        var runners = runners(List.of(DATA));
        var plain = runners.boot(PYTHON).orElseThrow();
        var packed = runners.boot(PYTHON.with(List.of(DATA))).orElseThrow();
        assertThat(packed).isNotEqualTo(plain);
        assertThat(packed.environment())
                .containsEntry("CAISSON_PRELOAD", "numpy")
                .containsEntry("CAISSON_PRELOAD_PATH", "/opt/env/data/python");
        assertThat(packed.shown())
                .containsExactly(new Boot.Shown("/opt/env/data", Path.of("/d/data")));
    }

    @Test
    void packages_of_another_python_and_of_an_image_do_not_fit() {
        var old = environment("old", "3.9", false);
        var runners = runners(List.of(DATA, old), "old", "gone", "data");
        assertThat(runners.fitting(PYTHON, runners.usual())).containsExactly(DATA);
        var image = new Runner("other", Language.PYTHON, "3.9.1", "other");
        assertThat(runners.fitting(image, runners.usual())).isEmpty();
    }

    @Test
    void a_name_is_a_plain_word() {
        assertThat(PackageEnvironment.isName("data-2")).isTrue();
        assertThat(List.of("", "../x", "None", "a/b", "none", "x".repeat(33)))
                .noneMatch(PackageEnvironment::isName);
    }
}

package dev.caisson.environments;

import static dev.caisson.environments.BakeBench.failed;
import static dev.caisson.environments.BakeBench.python;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Bakes that come to nothing leave nothing.
class BakeFailureTest extends BakeTestCase {
    @Test
    void a_failed_bake_leaves_nothing_and_shows_what_was_said() throws Exception {
        var index = bench.tiny("1.0");
        try (var environments = bench.environments(index)) {
            var record = failed(environments, python("tiny==1.0\nabsent-package==9.9"));
            assertThat(record.output()).contains("absent-package==9.9");
            assertThat(record.sentence().orElseThrow())
                    .containsPattern("absent-package==9.9 for Python 3\\.\\d+");
            assertThat(environments.all()).isEmpty();
            assertThat(bench.left()).isEmpty();
            assertThat(bench.scratch()).isEmpty();
        }
    }

    @Test
    void a_source_package_is_not_built() throws Exception {
        Wheels.publishFile(
                bench.directory().resolve("registry"),
                "sourced",
                "sourced-1.0.tar.gz",
                new byte[] {1});
        var index = bench.tiny("1.0");
        try (var environments = bench.environments(index)) {
            assertThat(failed(environments, python("sourced")).sentence().orElseThrow())
                    .contains("sourced");
        }
    }

    @Test
    void a_wheel_that_names_places_outside_comes_to_nothing() throws Exception {
        var index =
                Wheels.publish(
                        bench.directory().resolve("registry"),
                        "evil",
                        "1.0",
                        Wheels.wheel(
                                "evil",
                                "1.0",
                                Map.of(
                                        "evil.py",
                                        "",
                                        "../../../../workspace/out/escaped.py",
                                        "x")));
        try (var environments = bench.environments(index)) {
            var record = environments.bake("bad", python("evil"));
            record.await();
            assertThat(Files.exists(bench.directory().resolve("data/escaped.py"))).isFalse();
            assertThat(record.state()).as(record.output()).isEqualTo(BakeRecord.State.FAILED);
            assertThat(bench.left()).isEmpty();
        }
    }

    @Test
    void what_a_killed_server_left_is_never_seen_and_is_removed() throws Exception {
        var hash = "a".repeat(64);
        var half = bench.directory().resolve("data/environments/.work/" + hash + "-1/tree/python");
        Files.createDirectories(half);
        try (var environments = bench.environments()) {
            assertThat(environments.all()).isEmpty();
            assertThat(environments.sweep()).isEqualTo(1);
            assertThat(bench.scratch()).isEmpty();
        }
    }
}

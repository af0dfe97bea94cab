package dev.caisson.environments;

import static dev.caisson.environments.BakeBench.baked;
import static dev.caisson.environments.BakeBench.failed;
import static dev.caisson.environments.BakeBench.python;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Refusal;
import dev.caisson.environments.BakeBench.Bounds;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/// Each limit of a bake, on both sides.
class BakeLimitsTest extends BakeTestCase {
    @Test
    void what_is_too_large_is_not_kept() throws Exception {
        var index =
                Wheels.publish(
                        bench.directory().resolve("registry"),
                        "huge",
                        "1.0",
                        Wheels.wheel("huge", "1.0", Map.of("huge.py", "#".repeat(48 << 20))));
        try (var environments = bench.environments(Bounds.bytes(32L << 20), index)) {
            failed(environments, python("huge"));
            assertThat(bench.left()).isEmpty();
        }
        try (var registry = new Registry()) {
            registry.publish("wide", "1.0", new byte[20 << 20]);
            var address = registry.address() + "/simple";
            try (var environments = bench.environments(Bounds.bytes(16L << 20), address)) {
                assertThat(failed(environments, python("wide")).sentence().orElseThrow())
                        .contains("environments.bytes_max");
            }
        }
    }

    @Test
    void what_has_too_many_files_is_not_kept() throws Exception {
        var index = bench.tiny("1.0");
        int files;
        try (var environments = bench.environments(index)) {
            var record = baked(environments, "own", python("tiny"));
            files = (int) Manifest.in(directory(record)).orElseThrow().files();
        }
        try (var environments = bench.environments(Bounds.files(files - 1), index)) {
            // Another lock, so that it is not there already.
            assertThat(failed(environments, python("tiny==1.0")).sentence().orElseThrow())
                    .contains("more than %d files".formatted(files - 1));
            assertThat(bench.scratch()).isEmpty();
        }
        try (var environments = bench.environments(Bounds.files(files), index)) {
            baked(environments, "own", python("tiny==1.0"));
        }
    }

    private Path directory(BakeRecord record) {
        return bench.directory().resolve("data/environments").resolve(record.hash());
    }

    @Test
    void a_step_that_takes_too_long_is_ended() throws Exception {
        try (var registry = new Registry()) {
            registry.publish("tiny", "1.0", Wheels.plain("tiny", "1.0"));
            var address = registry.address() + "/simple";
            try (var _ = registry.hold();
                    var environments =
                            bench.environments(Bounds.time(Duration.ofSeconds(4)), address)) {
                assertThat(failed(environments, python("tiny")).sentence().orElseThrow())
                        .isEqualTo("The step fetch took longer than 4 s.");
                assertThat(bench.left()).isEmpty();
            }
            try (var environments = bench.environments(address)) {
                baked(environments, "own", python("tiny"));
            }
        }
    }

    @Test
    void two_bakes_go_on_at_once_and_a_third_is_refused() throws Exception {
        try (var registry = new Registry()) {
            registry.publish("tiny", "1.0", Wheels.plain("tiny", "1.0"));
            try (var environments = bench.environments(registry.address() + "/simple")) {
                BakeRecord one;
                BakeRecord two;
                try (var _ = registry.hold()) {
                    one = environments.bake("one", python("tiny"));
                    two = environments.bake("two", python("tiny==1.0"));
                    assertThatThrownBy(() -> environments.bake("three", python("tiny>=1.0")))
                            .isInstanceOf(Refusal.class)
                            .hasMessageContaining("2 bakes are under way");
                }
                assertThat(List.of(one.await(), two.await())).containsOnly(BakeRecord.State.DONE);
                baked(environments, "three", python("tiny>=1.0"));
            }
        }
    }

    @Test
    void so_many_environments_have_a_name_and_no_more() throws Exception {
        var index = bench.tiny("1.0");
        try (var environments = bench.environments(Bounds.names(1), index)) {
            baked(environments, "one", python("tiny"));
            assertThatThrownBy(() -> environments.bake("two", python("tiny")))
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("There are 1 environments");
            baked(environments, "one", python("tiny==1.0"));
            environments.remove("one");
            baked(environments, "two", python("tiny"));
        }
    }

    @Test
    void the_fetch_reaches_its_port_and_no_other_of_the_same_host() throws Exception {
        try (var registry = new Registry();
                var other = new Registry()) {
            registry.put(
                    "/simple/lured/",
                    "<!DOCTYPE html><a href=\"%s/files/lured-1.0-py3-none-any.whl\">lured-1.0-py3-none-any.whl</a>"
                            .formatted(other.address())
                            .getBytes(StandardCharsets.UTF_8));
            other.put("/files/lured-1.0-py3-none-any.whl", Wheels.plain("lured", "1.0"));
            var index = registry.address() + "/simple";
            try (var environments = bench.environments(index)) {
                failed(environments, python("lured"));
                assertThat(other.asked()).isEmpty();
            }
            var further = other.address().replace("http://", "");
            try (var environments = bench.environments(index, further)) {
                baked(environments, "own", python("lured"));
            }
        }
    }

    @Test
    void bakes_are_counted_by_their_outcome_and_sizes_are_told() throws Exception {
        var index = bench.tiny("1.0");
        try (var environments = bench.environments(index)) {
            environments.start(() -> {});
            baked(environments, "own", python("tiny"));
            failed(environments, python("absent"));
            assertThat(bench.scraped())
                    .contains("caisson_bakes_total{outcome=\"done\"} 1.0")
                    .contains("caisson_bakes_total{outcome=\"failed\"} 1.0");
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .untilAsserted(() ->
                            assertThat(bench.scraped())
                                    .contains("caisson_environment_bytes{environment=\"own\"} "));
        }
    }
}

package dev.caisson.acceptance.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.acceptance.bench.warm.Amount;
import dev.caisson.acceptance.bench.warm.Warm;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The contest itself works. What it measures is not judged here: a busy machine is no mistake.
@Tag("root")
@Tag("slow")
final class BenchTest {
    private static final Bench.Plan SHORT =
            new Bench.Plan(1, Duration.ofMillis(200), Duration.ofMillis(200), List.of(1, 16), 50);

    @Test
    void a_short_contest_has_figures_for_everybody() throws Exception {
        var report = Bench.run(SHORT);
        System.out.print(report.table());
        assertThat(report.byConnections().keySet()).containsExactly(1, 16);
        assertThat(report.byConnections().values())
                .allSatisfy(samples ->
                        assertThat(samples.values())
                                .hasSize(3)
                                .allMatch(sample -> sample.perSecond() > 0));
        assertThat(report.json().path("ratios").path("p50_1_modern").asDouble()).isPositive();
    }

    @Test
    void a_quick_run_over_http_has_figures_for_every_row_and_leaves_nothing() throws Exception {
        var report = Warm.run(Amount.TRIAL, Servers.BUILT);
        System.out.print(report.table());
        var json = report.json();
        assertThat(json.path("rows").size()).isEqualTo(32);
        assertThat(json.path("rows"))
                .allSatisfy(row -> assertThat(row.path("ratio_p50").asDouble()).isPositive());
        assertThat(json.path("goals")).hasSize(15);
        assertThat(json.path("trivial_calls_per_second").path("ledger").asDouble()).isPositive();
        assertThat(json.path("trivial_calls_per_second").path("no_ledger").asDouble()).isPositive();
        assertThat(json.path("cpu_ms"))
                .hasSize(2)
                .allSatisfy(each -> {
                    assertThat(each.path("user").asDouble()).isFinite();
                    assertThat(each.path("kernel_threads").asDouble()).isFinite();
                });
        assertThat(report.left()).isEmpty();
        assertThat(json.path("burst").path("failed").asInt()).isZero();
        assertThat(json.path("sustained"))
                .hasSize(2)
                .allSatisfy(rate -> assertThat(rate.path("p99_ms").asDouble()).isPositive());
        assertThat(json.path("growth"))
                .hasSize(3)
                .allSatisfy(each -> assertThat(each.path("cpu_ms").asDouble()).isFinite());
        assertThat(json.path("nests").asBoolean()).isTrue();
        assertThat(json.path("waiting").propertyNames())
                .contains("nest of python3")
                .containsAll(waiting("nest"))
                .containsAll(waiting("bubblewrap"));
    }

    /// Sandboxes of every interpreter wait in nests and outside.
    private static List<String> waiting(String maker) {
        return Stream.of("python3", "node", "typescript", "bash")
                .map(interpreter -> interpreter + ", " + maker)
                .toList();
    }
}

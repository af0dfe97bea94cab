package dev.caisson.acceptance.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The contest itself works. What it measures is not judged here: a busy machine is no mistake.
final class BenchTest {
    private static final Bench.Plan SHORT =
            new Bench.Plan(1, Duration.ofMillis(200), Duration.ofMillis(200), List.of(1, 16), 200);

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
}

package dev.caisson.acceptance.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.acceptance.bench.warm.Amount;
import dev.caisson.acceptance.bench.warm.Warm;
import dev.caisson.acceptance.product.Product;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The contest itself works. What it measures is not judged here: a busy machine is no mistake.
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
    void a_short_cold_run_has_figures_for_every_language() throws Exception {
        var report = Cold.run(Bench.GUESTS, 2);
        System.out.print(report.table());
        assertThat(report.byLanguage().keySet())
                .containsExactly("python", "node", "typescript", "bash");
        assertThat(report.byLanguage().values())
                .allSatisfy(figures -> assertThat(report.ratio(figures)).isPositive());
    }

    @Test
    void a_quick_run_over_http_has_figures_for_every_row_and_leaves_nothing() throws Exception {
        var report = Warm.run(Amount.QUICK, Product::start);
        System.out.print(report.table());
        var rows = report.json().path("rows");
        assertThat(rows.propertyNames()).hasSize(8);
        assertThat(rows.properties())
                .allSatisfy(row -> assertThat(row.getValue().path("runs").asInt()).isPositive());
        assertThat(report.left()).isEmpty();
        assertThat(report.json().path("burst").path("failed").asInt()).isZero();
        assertThat(report.waitingMib()).hasSize(4);
    }
}

package dev.caisson.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The benchmark of cold starts works. What it measures is not judged here.
@Tag("root")
class ColdBenchTest {
    @Test
    void a_short_cold_run_has_figures_for_every_language() throws Exception {
        var report = Cold.run(Path.of("target/guests").toAbsolutePath(), 2);
        System.out.print(report.table());
        assertThat(report.byLanguage().keySet())
                .containsExactly("python", "node", "typescript", "bash");
        assertThat(report.byLanguage().values())
                .allSatisfy(figures -> assertThat(report.ratio(figures)).isPositive());
    }
}

package dev.caisson.telemetry;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MetricsTest {
    @Test
    void every_metric_has_a_help_text_and_ours_have_our_name() {
        var metrics = new Metrics();
        var seen = metrics.registry().scrape();
        for (var snapshot : seen) {
            var metadata = snapshot.getMetadata();
            assertThat(metadata.getHelp()).as(metadata.getName()).isNotBlank();
            assertThat(metadata.getName()).matches("(caisson|jvm|process)_.*");
        }
        assertThat(seen.size()).isGreaterThan(20);
    }

    @Test
    void the_text_has_the_values_and_those_of_the_virtual_machine() {
        var metrics = new Metrics();
        metrics.toolCalls().labelValues("run", "", "success").inc();
        assertThat(new String(metrics.scrape(), UTF_8))
                .contains(
                        "caisson_tool_calls_total{outcome=\"success\",tool=\"run\",upstream=\"\"} 1.0")
                .contains("# HELP caisson_http_streams_open")
                .contains("jvm_memory_used_bytes");
    }

    @Test
    void two_instances_share_nothing() {
        var one = new Metrics();
        one.faults().inc();
        assertThat(new Metrics().faults().get()).isZero();
    }
}

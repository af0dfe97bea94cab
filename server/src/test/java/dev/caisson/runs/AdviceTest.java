package dev.caisson.runs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.executions.RunUsage;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What is advised after a timeout follows from what the kernel counted, not from what was printed.
class AdviceTest {
    private static final Duration MAX = Duration.ofMinutes(10);

    @ParameterizedTest
    @CsvSource({
        "30, 0, 1.0, 'It computed for 0 ms only'",
        "30, 1499, 1.0, 'It computed for 1499 ms only'",
        "30, 1500, 1.0, 'It was computing: do less'",
        "30, 1400, 0.1, 'It was computing: do less'",
        "30, 149, 0.1, 'It computed for 149 ms only'",
        "30, 1499, 4.0, 'It computed for 1499 ms only'",
        "600, 590000, 1.0, 'there is no more time to ask for'",
    })
    void more_time_is_for_programs_that_used_theirs(
            int seconds, long cpuMillis, double cpus, String words) {
        var usage = new RunUsage(0, seconds * 1000L, cpuMillis, 0, Optional.empty());
        var advice = Advice.timeout(usage, Duration.ofSeconds(seconds), cpus, MAX);
        assertThat(advice).contains(words);
        assertThat(advice.contains("ask for up to"))
                .isEqualTo(words.startsWith("It was computing: do"));
    }
}

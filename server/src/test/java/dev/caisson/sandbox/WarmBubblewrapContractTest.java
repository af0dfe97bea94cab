package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Boxes of bubblewrap that waited for their run: the same programs find the same walls, end the
/// same way, and cannot tell that their interpreter had been waiting.
@Warmed
@InBubblewrap
class WarmBubblewrapContractTest extends BoxContractTest {
    private static final Duration WAITED = Duration.ofSeconds(1);

    private final Rig rig;

    WarmBubblewrapContractTest(Rig rig) {
        this.rig = rig;
    }

    @AfterEach
    void sandboxes_had_been_waiting() throws Exception {
        assertThat(rig.run(Language.BASH, "true").outcome().usage().start()).hasValue(Start.WARM);
        assertThat(rig.warmRuns()).isPositive();
    }

    /// What Node counts from its own start, less what it says to be its age, is the waiting.
    @Test
    void the_age_of_a_node_process_does_not_count_the_waiting() throws Exception {
        for (var language : new Language[] {Language.NODE, Language.TYPESCRIPT}) {
            rig.awaitReady(language);
            Awaitility.await().pollDelay(WAITED).until(() -> true);
            var result =
                    rig.run(
                            language,
                            "console.log(performance.now() / 1000 - process.uptime(), process.uptime.name)");
            assertThat(result.outcome().usage().start()).hasValue(Start.WARM);
            var words = result.stdout().strip().split(" ", -1);
            assertThat(Double.parseDouble(words[0])).isGreaterThan(0.9);
            assertThat(words[1]).isEqualTo("uptime");
        }
    }
}

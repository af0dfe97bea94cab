package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;

/// Runs in sandboxes that waited end as runs do, and are told apart the same way.
@Warmed
class WarmOutcomeContractTest extends OutcomeContractTest {
    private final Rig rig;

    WarmOutcomeContractTest(Rig rig) {
        super(rig);
        this.rig = rig;
    }

    @AfterEach
    void sandboxes_had_been_waiting() throws Exception {
        assertThat(rig.run(Language.BASH, "true").outcome().usage().start()).hasValue(Start.WARM);
        assertThat(rig.warmRuns()).isPositive();
    }
}

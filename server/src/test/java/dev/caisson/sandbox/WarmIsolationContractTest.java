package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;

/// Sandboxes that waited have every wall the others have: the same hostile programs find the same.
@Warmed
class WarmIsolationContractTest extends IsolationContractTest {
    private final Rig rig;

    WarmIsolationContractTest(Rig rig) {
        super(rig);
        this.rig = rig;
    }

    @AfterEach
    void sandboxes_had_been_waiting() throws Exception {
        assertThat(rig.run(Language.BASH, "true").outcome().usage().start()).hasValue(Start.WARM);
        assertThat(rig.warmRuns()).isPositive();
    }
}

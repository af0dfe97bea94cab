package dev.caisson.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.sandbox.NestSettings;
import org.junit.jupiter.api.Test;

/// The same hostile programs in sandboxes of nests.
class HostileNestTest extends HostileTest {
    @Override
    protected NestSettings.Maker runtime() {
        return NestSettings.Maker.NEST;
    }

    @Test
    void nests_make_the_sandboxes() {
        assertThat(sandboxes.makers()).startsWith("nests make");
    }
}

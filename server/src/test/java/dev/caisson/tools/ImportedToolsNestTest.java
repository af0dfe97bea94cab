package dev.caisson.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.sandbox.NestSettings;
import org.junit.jupiter.api.Test;

/// The same imports in sandboxes of nests.
class ImportedToolsNestTest extends ImportedToolsTest {
    @Override
    protected NestSettings.Maker runtime() {
        return NestSettings.Maker.NEST;
    }

    @Test
    void nests_make_the_sandboxes() {
        assertThat(sandboxes.makers()).startsWith("nests make");
    }
}

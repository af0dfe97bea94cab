package dev.caisson.sandbox.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.sandbox.Isolation;
import dev.caisson.sandbox.Tier;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class HostTest {
    @Test
    void without_bubblewrap_nothing_runs_and_the_package_is_named() {
        var programs =
                new Host.Programs(
                        Path.of("/bin/sh"),
                        Path.of("/bin/sh"),
                        Path.of("/bin/sh"),
                        Path.of("/nonexistent/bwrap"));
        var none = Isolation.none(programs.missing().orElseThrow());

        assertThat(Host.Programs.find().missing()).isEmpty();
        assertThat(none.tier()).isEqualTo(Tier.CLOSED);
        assertThat(none.refusal())
                .contains(
                        "No code runs here: the program bwrap is missing; to install it: sudo apt-get"
                                + " install -y bubblewrap.");
    }
}

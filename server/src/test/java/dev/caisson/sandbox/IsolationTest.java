package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.linux.UnixSockets;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// What follows from the layers that hold and those that do not.
class IsolationTest {
    @Test
    void a_run_is_refused_by_name_when_a_layer_is_missing() {
        var closed =
                new Isolation(
                        Map.of(Layer.SYSCALL_FILTER, "libseccomp is not there"),
                        Set.of(),
                        UnixSockets.PRIVATE_PLACES);
        assertThat(closed.tier()).isEqualTo(Tier.CLOSED);
        assertThat(closed.refusal().orElseThrow())
                .contains("syscall_filter", "caisson doctor")
                .doesNotContain("libseccomp");
        var accepted =
                new Isolation(
                        closed.missing(), Set.of(Layer.SYSCALL_FILTER), UnixSockets.PRIVATE_PLACES);
        assertThat(accepted.tier()).isEqualTo(Tier.REDUCED);
        assertThat(accepted.refusal()).isEmpty();
    }

    @Test
    void what_to_type_names_what_was_accepted_already_as_well() {
        var half =
                new Isolation(
                        Map.of(Layer.OWN_USER, "plain user", Layer.CPU_LIMIT, "no controller"),
                        Set.of(Layer.CPU_LIMIT),
                        UnixSockets.PRIVATE_PLACES);

        assertThat(half.advice().orElseThrow())
                .contains("own_user: plain user")
                .doesNotContain("no controller")
                .endsWith("./caisson serve --set sandbox.accept_missing=own_user,cpu_limit");
    }
}

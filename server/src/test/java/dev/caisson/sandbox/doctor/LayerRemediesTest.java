package dev.caisson.sandbox.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.sandbox.Layer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// For each missing layer the doctor says what to type, on this host and by this user.
class LayerRemediesTest {
    private static final List<Path> TREES =
            List.of(Path.of("/sys/fs/cgroup/memory"), Path.of("/sys/fs/cgroup/pids"));

    private static HostFacts host(int user, boolean unified, boolean manager, boolean loop) {
        return new HostFacts(
                user,
                "./caisson",
                unified ? List.of() : TREES,
                unified,
                manager,
                loop,
                Optional.empty());
    }

    private static String remedy(HostFacts host, Layer layer, String why) {
        return new LayerRemedies(host, false).of(layer, why);
    }

    @Test
    void a_plain_user_is_told_to_start_it_as_root() {
        var host = host(1000, false, false, true);
        for (var layer : List.of(Layer.OWN_USER, Layer.BOUNDED_TMP, Layer.WORKSPACE_LIMIT)) {
            assertThat(remedy(host, layer, "run it as root")).isEqualTo("sudo ./caisson serve");
        }
    }

    @Test
    void control_groups_are_delegated_by_the_means_of_the_host() {
        assertThat(remedy(host(1000, false, false, true), Layer.MEMORY_LIMIT, "x"))
                .isEqualTo(
                        "sudo mkdir -p /sys/fs/cgroup/{memory,pids}/caisson-1000"
                                + " && sudo chown -R 1000 /sys/fs/cgroup/{memory,pids}/caisson-1000");
        assertThat(remedy(host(1000, true, true, true), Layer.CPU_LIMIT, "x"))
                .isEqualTo("systemd-run --user --scope -p Delegate=yes ./caisson serve");
        assertThat(remedy(host(1000, true, false, true), Layer.CPU_LIMIT, "x"))
                .isEqualTo("sudo ./caisson serve");
        assertThat(remedy(host(0, true, false, true), Layer.CPU_LIMIT, "x"))
                .contains("cgroup.subtree_control");
        assertThat(remedy(host(0, false, false, true), Layer.MEMORY_LIMIT, "turn swap off"))
                .isEqualTo("sudo swapoff -a");
    }

    @Test
    void a_missing_module_or_package_is_named() {
        assertThat(remedy(host(0, false, false, false), Layer.WORKSPACE_LIMIT, "no loop"))
                .isEqualTo("sudo modprobe loop");
        assertThat(remedy(host(1000, false, false, false), Layer.WORKSPACE_LIMIT, "no loop"))
                .isEqualTo("sudo modprobe loop && sudo ./caisson serve");
        assertThat(remedy(host(0, false, false, true), Layer.WORKSPACE_LIMIT, "e2fsprogs"))
                .isEqualTo("sudo apt-get install -y e2fsprogs");
    }

    @Test
    void where_no_sandbox_can_be_made_the_cause_is_named_and_not_each_layer() {
        var facts =
                new HostFacts(
                        1000,
                        "./caisson",
                        TREES,
                        false,
                        false,
                        true,
                        Optional.of("kernel.unprivileged_userns_clone=1"));
        var remedies = new LayerRemedies(facts, true);
        assertThat(remedies.of(Layer.NO_NETWORK, "no sandbox can be made"))
                .isEqualTo("sudo sysctl -w kernel.unprivileged_userns_clone=1");
        assertThat(
                        remedies.of(
                                Layer.NO_NETWORK,
                                "the program bwrap is missing; to install it: sudo apt-get install -y bubblewrap"))
                .isEqualTo("sudo apt-get install -y bubblewrap");
    }

    @ParameterizedTest
    @EnumSource
    void every_layer_has_a_command_for_root_and_for_a_plain_user(Layer layer) {
        for (int user : new int[] {0, 1000}) {
            for (boolean unified : new boolean[] {true, false}) {
                assertThat(remedy(host(user, unified, true, false), layer, "missing"))
                        .containsAnyOf("sudo ", "systemd-run ", "echo ", "kernel option")
                        .doesNotContain("Mend", "what was found");
            }
        }
    }

    @Test
    void this_host_can_be_read() {
        assertThat(HostFacts.read().command()).isNotEmpty();
    }
}

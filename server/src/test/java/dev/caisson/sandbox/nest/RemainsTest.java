package dev.caisson.sandbox.nest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.linux.KeptNetwork;
import dev.caisson.sandbox.Limits;
import dev.caisson.sandbox.bubblewrap.SandboxSpec;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What nests keep is what they account for, and whatever leaks is seen: each kind of it is lost
/// here on purpose.
@Tag("root")
@Tag("slow")
class RemainsTest extends NestsTestCase {
    @Test
    void what_rests_is_what_nests_account_for() throws Exception {
        run("one", "pass");
        run("two", "pass");
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(nests.resting().slots()).hasSize(2));
        assertThat(remains().slots()).isEqualTo(2);
        assertThat(remains().groups())
                .allMatch(name -> name.contains(".nest-") || isAccountedFor(name))
                .hasSize(4);
        assertThat(remains().users()).isEqualTo(nests.spareUsers());
        nests.forget("one");
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(remains().slots()).isEqualTo(1));
        assertThat(nests.resting().slots()).hasSize(1);
    }

    private boolean isAccountedFor(String name) {
        return nests.resting().groups().stream().anyMatch(group -> name.endsWith("." + group));
    }

    @Test
    void users_that_nobody_gives_back_are_seen() throws Exception {
        var users = NestUsers.lease(bubblewrap().slots(), 2);
        assertThat(remains().users()).isEqualTo(5);
        assertThat(remains().isNothing()).isFalse();
        users.close();
        assertThat(remains().isNothing()).isTrue();
    }

    @Test
    void a_place_that_nobody_gives_back_is_seen() throws Exception {
        run("one", "pass");
        var box = make("one", python());
        var users = box.nest().founded().users();
        int spare = nests.spareUsers();
        var lost = users.take().orElseThrow();
        assertThat(nests.spareUsers()).isEqualTo(spare - 1);
        lost.close();
        box.end("one");
    }

    @Test
    void a_slot_that_nobody_removes_is_seen() throws Exception {
        var user = bubblewrap().slots().takeUser();
        var slot = bubblewrap().slots().take(user);
        assertThat(remains().slots()).isEqualTo(1);
        slot.close();
    }

    @Test
    void a_group_that_nobody_removes_is_seen() throws Exception {
        var limits = SandboxSpec.groupLimits(Limits.DEFAULT);
        var group = bubblewrap().machine().groups().create("run-1-1", limits);
        assertThat(remains().groups()).hasSize(1);
        assertThat(group.remove()).isTrue();
    }

    @Test
    void a_network_that_nobody_closes_is_seen() throws Exception {
        var box = make("one", python());
        var held = remains().networks().size();
        var lost = KeptNetwork.of(box.parts().processes().program());
        box.end("one");
        nests.killAll();
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(remains().groups()).isEmpty());
        assertThat(held).isPositive();
        assertThat(remains().networks()).isNotEmpty();
        lost.close();
    }
}

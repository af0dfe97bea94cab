package dev.caisson.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UserIdsTest {
    @TempDir Path locks;

    @Test
    void each_lease_has_an_id_of_its_own_until_it_is_closed() {
        var ids = new UserIds(locks, 200_000, 2);
        try (var first = ids.take();
                var second = ids.take()) {
            assertThat(first.uid()).isEqualTo(200_000);
            assertThat(second.uid()).isEqualTo(200_001);
            assertThatThrownBy(ids::take)
                    .isInstanceOfSatisfying(
                            Refusal.class,
                            refusal -> assertThat(refusal.reason()).isEqualTo(Reason.NO_CAPACITY));
        }
        var again = ids.take();
        again.close();
        again.close();
        assertThat(again.uid()).isEqualTo(200_000);
    }

    @Test
    void an_id_given_back_rests_while_others_are_free() {
        var ids = new UserIds(locks, 200_000, 3);
        ids.take().close();
        try (var next = ids.take()) {
            assertThat(next.uid()).isEqualTo(200_001);
        }
    }

    @Test
    void another_process_on_this_machine_takes_other_ids() throws Exception {
        var script =
                "import fcntl,sys; f=open(sys.argv[1],'w'); fcntl.lockf(f,fcntl.LOCK_EX);"
                        + " print('locked',flush=True); sys.stdin.read()";
        var other =
                new ProcessBuilder("python3", "-c", script, locks.resolve("200000.lock").toString())
                        .start();
        assertThat(other.inputReader(StandardCharsets.UTF_8).readLine()).isEqualTo("locked");
        var ids = new UserIds(locks, 200_000, 2);
        try (var lease = ids.take()) {
            assertThat(lease.uid()).isEqualTo(200_001);
        }
        other.outputWriter().close();
        other.waitFor();
        try (var lease = ids.take()) {
            assertThat(lease.uid()).as("free once the other is gone").isEqualTo(200_000);
        }
    }

    @Test
    void this_host_lacks_nothing() {
        assertThat(new UserIds(locks, 200_000, 1000).missing()).isEmpty();
    }

    @Test
    void a_range_stays_clear_of_people_and_of_the_end() {
        assertThatThrownBy(() -> new UserIds(locks, 999, 1)).hasMessageContaining("range");
        assertThatThrownBy(() -> new UserIds(locks, 1000, 0)).hasMessageContaining("range");
        assertThatThrownBy(() -> new UserIds(locks, Integer.MAX_VALUE, 1))
                .hasMessageContaining("range");
    }
}

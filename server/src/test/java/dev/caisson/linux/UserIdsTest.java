package dev.caisson.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Tag;
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
        assertThat(again.uid()).as("given back before the other").isEqualTo(200_001);
    }

    @Test
    void the_longest_rested_comes_first_however_long_another_was_held() {
        var ids = new UserIds(locks, 200_000, 3);
        var held = ids.take();
        for (int expected : new int[] {200_001, 200_002, 200_001, 200_002}) {
            try (var next = ids.take()) {
                assertThat(next.uid()).isEqualTo(expected);
            }
        }
        held.close();
        try (var next = ids.take();
                var after = ids.take();
                var last = ids.take()) {
            assertThat(next.uid()).isEqualTo(200_001);
            assertThat(after.uid()).isEqualTo(200_002);
            assertThat(last.uid()).as("given back last").isEqualTo(200_000);
        }
    }

    @Test
    void nobody_else_can_open_a_lock() throws Exception {
        Files.setPosixFilePermissions(locks, PosixFilePermissions.fromString("rwxr-xr-x"));
        var ids = new UserIds(locks, 200_000, 1);
        try (var _ = ids.take()) {
            assertThat(mode(locks)).isEqualTo("rwx------");
            assertThat(mode(locks.resolve("200000.lock"))).isEqualTo("rw-------");
        }
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
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

    @Tag("root")
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

    @Test
    void an_id_that_could_not_be_locked_is_not_lost() throws Exception {
        var elsewhere = Files.createFile(locks.resolve("not-a-directory"));
        var ids = new UserIds(elsewhere, 200_000, 1);
        assertThatThrownBy(ids::take).isInstanceOf(UncheckedIOException.class);
        Files.delete(elsewhere);
        try (var lease = ids.take()) {
            assertThat(lease.uid()).isEqualTo(200_000);
        }
    }
}

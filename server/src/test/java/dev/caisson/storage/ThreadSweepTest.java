package dev.caisson.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.call.Caller;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ThreadSweepTest {
    private static final Caller ALICE = new Caller("alice", "Alice", Set.of(), Set.of());
    private static final Duration DAY = Duration.ofDays(1);

    @TempDir Path root;
    private Threads threads;

    @BeforeEach
    void start() {
        threads = new Threads(root, new DirectoryWorkspaces(Optional.empty()));
    }

    private void used(String id, int bytes) throws Exception {
        try (var lease = acquire(id)) {
            Files.write(lease.root().resolve("data"), new byte[bytes]);
        }
        Thread.sleep(5);
    }

    private Lease acquire(String id) throws InterruptedException {
        return threads.acquire(ALICE, id, "exe-1", Duration.ZERO);
    }

    private int sweep(Optional<Duration> idle, Optional<Long> bytes, Duration later)
            throws InterruptedException {
        var clock = Clock.fixed(Instant.now().plus(later), ZoneOffset.UTC);
        return new ThreadSweep(threads, idle, bytes, clock).run();
    }

    @Test
    void nothing_goes_where_nothing_is_limited() throws Exception {
        used("a", 10);
        assertThat(sweep(Optional.empty(), Optional.empty(), Duration.ofDays(10_000))).isZero();
        assertThat(threads.ids(ALICE)).containsExactly("a");
    }

    @Test
    void a_thread_goes_when_nobody_used_it_for_long() throws Exception {
        used("a", 10);
        assertThat(sweep(Optional.of(DAY), Optional.empty(), DAY.minusMinutes(1))).isZero();
        assertThat(sweep(Optional.of(DAY), Optional.empty(), DAY.plusMinutes(1))).isEqualTo(1);
        assertThat(threads.ids(ALICE)).isEmpty();
        assertThat(root.resolve("threads")).isEmptyDirectory();
        try (var lease = acquire("a")) {
            assertThat(lease.fresh()).isTrue();
        }
    }

    @Test
    void what_is_in_use_stays_a_run_or_its_files() throws Exception {
        used("read", 10);
        used("free", 10);
        try (var _ = acquire("run");
                var _ = threads.files(ALICE, "read")) {
            assertThat(sweep(Optional.of(DAY), Optional.of(0L), DAY.multipliedBy(2))).isEqualTo(1);
            assertThat(threads.ids(ALICE)).containsExactly("read", "run");
        }
    }

    @Test
    void the_longest_unused_go_until_the_rest_fits() throws Exception {
        used("old", 1 << 20);
        used("middle", 1 << 20);
        used("young", 1 << 20);
        try (var _ = acquire("old")) {
            assertThat(threads.ids(ALICE)).hasSize(3);
        }
        assertThat(sweep(Optional.empty(), Optional.of(4L << 20), DAY)).isZero();
        assertThat(sweep(Optional.empty(), Optional.of((2L << 20) + 100_000), DAY)).isEqualTo(1);
        assertThat(threads.ids(ALICE)).containsExactly("old", "young");
    }
}

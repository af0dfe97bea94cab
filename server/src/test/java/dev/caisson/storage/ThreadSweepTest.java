package dev.caisson.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.call.Caller;
import dev.caisson.share.TestWorkers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
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
        threads = new Threads(root, new DirectoryWorkspaces(Optional.empty()), TestWorkers.WORKERS);
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
    void threads_of_those_who_come_back_no_more_go_unless_they_are_in_use() throws Exception {
        var bob = new Caller("bob", "Bob", Set.of(), Set.of());
        used("a", 10);
        used("b", 10);
        try (var lease = threads.acquire(bob, "c", "exe-2", Duration.ZERO)) {
            assertThat(lease.root()).isEmptyDirectory();
        }
        var sweep = new ThreadSweep(threads, Optional.empty(), Optional.empty(), Clock.systemUTC());

        try (var _ = acquire("b")) {
            assertThat(sweep.removeOf(List.of("alice", "nobody"))).isEqualTo(1);
        }
        assertThat(threads.ids(ALICE)).containsExactly("b");
        assertThat(sweep.removeOf(List.of("alice"))).isEqualTo(1);

        assertThat(threads.ids(ALICE)).isEmpty();
        assertThat(threads.ids(bob)).containsExactly("c");
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
        try (var run = acquire("run");
                var _ = threads.files(ALICE, "read")) {
            assertThat(run.root()).isEmptyDirectory();
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

    @Test
    void whoever_has_most_gives_first() throws Exception {
        var bob = new Caller("bob", "Bob", Set.of(), Set.of());
        try (var lease = threads.acquire(bob, "bobs", "exe-1", Duration.ZERO)) {
            Files.write(lease.root().resolve("data"), new byte[1 << 20]);
        }
        used("old", 1 << 20);
        used("middle", 1 << 20);
        used("young", 1 << 20);
        assertThat(sweep(Optional.empty(), Optional.of((3L << 20) + 100_000), DAY)).isEqualTo(1);
        assertThat(threads.ids(ALICE)).containsExactly("middle", "young");
        assertThat(threads.ids(bob)).containsExactly("bobs");
    }
}

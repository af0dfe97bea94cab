package dev.caisson.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.linux.DiskUsage;
import dev.caisson.share.TestWorkers;
import dev.caisson.storage.thread.Writers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ThreadsTest {
    private static final Caller ALICE = new Caller("alice", "Alice", Set.of(), Set.of());
    private static final Caller BOB = new Caller("bob", "Bob", Set.of(), Set.of());

    @TempDir Path root;
    private Threads threads;

    @BeforeEach
    void start() {
        threads = new Threads(root, new DirectoryWorkspaces(Optional.empty()), TestWorkers.WORKERS);
    }

    private Lease acquire(Caller caller, String id) throws InterruptedException {
        return threads.acquire(caller, id, "exe-1", Duration.ZERO);
    }

    @Test
    void a_thread_keeps_its_files() throws Exception {
        try (var lease = acquire(ALICE, "t")) {
            assertThat(lease.fresh()).isTrue();
            Files.writeString(lease.root().resolve("a"), "kept");
        }
        try (var lease = acquire(ALICE, "t")) {
            assertThat(lease.fresh()).isFalse();
            assertThat(lease.root().resolve("a")).hasContent("kept");
        }
    }

    @Test
    void a_run_that_is_refused_before_it_uses_its_workspace_leaves_no_thread() throws Exception {
        try (var lease = acquire(ALICE, "t")) {
            assertThat(lease.fresh()).isTrue();
            assertThat(threads.ids(ALICE)).isEmpty();
        }
        assertThat(threads.ids(ALICE)).isEmpty();
        assertThat(threads.find(ALICE, "t")).isEmpty();
        assertThat(threads.all()).isEmpty();
        try (var lease = acquire(ALICE, "t")) {
            assertThat(lease.root()).isEmptyDirectory();
            assertThat(threads.ids(ALICE)).containsExactly("t");
        }
        assertThat(threads.ids(ALICE)).containsExactly("t");
    }

    @Test
    void two_callers_with_the_same_id_never_meet() throws Exception {
        try (var mine = acquire(ALICE, "t");
                var other = acquire(BOB, "t")) {
            assertThat(mine.root()).isNotEqualTo(other.root());
        }
    }

    @Test
    void the_border_between_caller_and_id_is_part_of_the_name() {
        var left = new Caller("a:b", "", Set.of(), Set.of());
        var right = new Caller("a", "", Set.of(), Set.of());

        assertThat(HashedNames.directoryName(left, "c"))
                .isNotEqualTo(HashedNames.directoryName(right, "b:c"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"../../etc", "/", ".", "..", "a/b", "ä\n", "conv 1"})
    void no_id_becomes_a_path(String id) throws Exception {
        try (var lease = acquire(ALICE, id)) {
            assertThat(root.resolve("threads").relativize(lease.root()).toString())
                    .matches("[0-9a-f]{64}/files");
        }
    }

    @Test
    void an_empty_or_overlong_id_is_refused() throws Exception {
        assertRefused("", Reason.INVALID_ARGUMENT);
        assertRefused("x".repeat(Threads.ID_LENGTH_MAX + 1), Reason.INVALID_ARGUMENT);
        acquire(ALICE, "x".repeat(Threads.ID_LENGTH_MAX)).close();
    }

    @Test
    void an_id_with_a_nul_is_refused() {
        assertRefused("a\0b", Reason.INVALID_ARGUMENT);
    }

    @Test
    void a_busy_thread_names_the_execution_that_uses_it() throws Exception {
        try (var _ = threads.acquire(ALICE, "t", "exe-7", Duration.ZERO)) {
            assertThatThrownBy(() -> acquire(ALICE, "t"))
                    .isInstanceOfSatisfying(
                            Refusal.class,
                            refusal -> {
                                assertThat(refusal.reason()).isEqualTo(Reason.CONFLICT);
                                assertThat(refusal.sentence()).doesNotContain("wait_seconds");
                                assertThat(refusal.details())
                                        .containsEntry("execution_id", "exe-7")
                                        .containsEntry("retryable", true);
                            });
            assertThat(threads.isBusy(ALICE, "t")).isTrue();
        }
        acquire(ALICE, "t").close();
        assertThat(threads.isBusy(ALICE, "t")).isFalse();
    }

    @Test
    void a_caller_that_asks_to_wait_gets_the_thread_when_it_is_free() throws Exception {
        try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Lease> second;
            try (var _ = acquire(ALICE, "t")) {
                second =
                        pool.submit(
                                () -> threads.acquire(ALICE, "t", "exe-2", Duration.ofSeconds(30)));
                assertThatThrownBy(
                                () -> threads.acquire(ALICE, "t", "exe-3", Duration.ofMillis(50)))
                        .isInstanceOf(Refusal.class);
                assertThat(second.isDone()).isFalse();
            }
            second.get().close();
        }
    }

    @Test
    void twenty_at_once_are_one_writer_at_a_time() throws Exception {
        var counter = root.resolve("counter");
        Files.writeString(counter, "0");
        try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
            IntStream.range(0, Writers.WAITING_MAX)
                    .mapToObj(_ -> pool.submit(() -> countUp(counter)))
                    .toList()
                    .forEach(ThreadsTest::join);
        }
        assertThat(counter).hasContent(String.valueOf(Writers.WAITING_MAX));
    }

    private Void countUp(Path counter) throws IOException, InterruptedException {
        try (var _ = threads.acquire(ALICE, "t", "exe", Duration.ofSeconds(30))) {
            var count = Integer.parseInt(Files.readString(counter));
            Thread.sleep(1);
            Files.writeString(counter, String.valueOf(count + 1));
            return null;
        }
    }

    @Test
    void too_many_do_not_wait() throws Exception {
        try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
            var lease = acquire(ALICE, "t");
            var waiting =
                    IntStream.rangeClosed(0, Writers.WAITING_MAX)
                            .mapToObj(_ ->
                                    pool.submit(() -> {
                                        threads.acquire(ALICE, "t", "e", Duration.ofSeconds(60))
                                                .close();
                                        return true;
                                    }))
                            .toList();
            await().until(() -> waiting.stream().filter(Future::isDone).count() == 1);
            lease.close();
            await().until(() -> waiting.stream().allMatch(Future::isDone));
            assertThat(waiting.stream().filter(one -> one.state() == Future.State.FAILED))
                    .hasSize(1);
        }
    }

    @Test
    void an_ephemeral_workspace_is_gone_when_it_is_closed() throws Exception {
        Path kept;
        try (var lease = threads.ephemeral("a")) {
            kept = lease.root();
            Files.writeString(kept.resolve("a"), "gone");
            assertThat(lease.fresh()).isTrue();
        }
        assertThat(kept).doesNotExist();
        assertThat(root.resolve("ephemeral")).isEmptyDirectory();
    }

    @Test
    void a_workspace_that_cannot_be_opened_leaves_nothing_behind() throws Exception {
        var broken =
                new Threads(
                        root,
                        new WorkspaceMaker() {
                            @Override
                            public boolean isThere(Path directory) {
                                return true;
                            }

                            @Override
                            public Opened open(Path directory, String holder) {
                                throw new IllegalStateException("broken");
                            }

                            @Override
                            public DiskUsage room(Path directory) {
                                throw new IllegalStateException("broken");
                            }

                            @Override
                            public String capacity() {
                                return "nothing";
                            }
                        },
                        TestWorkers.WORKERS);

        try (var lease = broken.ephemeral("a")) {
            assertThatThrownBy(lease::root).hasMessage("broken");
        }
        try (var lease = broken.acquire(ALICE, "t", "exe", Duration.ZERO)) {
            assertThatThrownBy(lease::root).hasMessage("broken");
            assertThat(lease.isOpen()).isFalse();
        }
        assertThat(root.resolve("ephemeral")).isEmptyDirectory();
        assertThat(broken.isBusy(ALICE, "t")).isFalse();
    }

    @Test
    void a_workspace_is_opened_when_somebody_asks_for_it() throws Exception {
        try (var lease = threads.ephemeral("a")) {
            assertThat(lease.isOpen()).isFalse();
            assertThat(root.resolve("ephemeral")).isEmptyDirectory();
            assertThat(lease.root()).exists();
            assertThat(lease.isOpen()).isTrue();
        }
        threads.ephemeral("a").close();
        assertThat(root.resolve("ephemeral")).isEmptyDirectory();
    }

    @Test
    void a_workspace_that_resists_does_not_cost_the_result() throws Exception {
        try (var lease = threads.ephemeral("a")) {
            var directory = Objects.requireNonNull(lease.root().getParent());
            Files.delete(lease.root());
            Files.delete(directory);
            Files.writeString(directory, "not a directory");
        }
        assertThat(root.resolve("ephemeral")).isNotEmptyDirectory();
    }

    @Test
    void what_a_killed_server_left_is_erased_at_the_start() throws Exception {
        Files.createDirectories(root.resolve("ephemeral/dead/files/deep"));
        Files.createDirectories(root.resolve("ephemeral/p1t1-0123/files"));
        new Threads(root, new DirectoryWorkspaces(Optional.empty()), TestWorkers.WORKERS);
        assertThat(root.resolve("ephemeral")).isEmptyDirectory();
    }

    @Test
    void what_a_live_server_uses_survives_the_start_of_another() throws Exception {
        try (var lease = threads.ephemeral("a")) {
            Files.writeString(lease.root().resolve("a"), "in use");
            new Threads(root, new DirectoryWorkspaces(Optional.empty()), TestWorkers.WORKERS);
            assertThat(lease.root().resolve("a")).hasContent("in use");
        }
        assertThat(root.resolve("ephemeral")).isEmptyDirectory();
    }

    @Test
    void nobody_else_can_look_into_a_workspace() throws Exception {
        try (var lease = acquire(ALICE, "t")) {
            var name = root.relativize(lease.root());
            for (var length = 1; length <= name.getNameCount(); length++) {
                var path = root.resolve(name.subpath(0, length));
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                        .isEqualTo("rwx------");
            }
        }
    }

    private void assertRefused(String id, Reason reason) {
        assertThatThrownBy(() -> acquire(ALICE, id))
                .isInstanceOfSatisfying(
                        Refusal.class, refusal -> assertThat(refusal.reason()).isEqualTo(reason));
    }

    private static void join(Future<?> future) {
        try {
            future.get();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /// Whatever comes between the files of a deleted thread and the end of its deletion.
    private static final class Registry implements ThreadRegistry {
        private final Set<String> known = ConcurrentHashMap.newKeySet();
        private final List<Runnable> removals = new ArrayList<>();

        @Override
        public boolean isKnown(String place) {
            return known.contains(place);
        }

        @Override
        public void add(Caller caller, String threadId, String place) {
            known.add(place);
        }

        /// The first runs before the first removal, and so on.
        @Override
        public void remove(String place) {
            if (!removals.isEmpty()) {
                removals.removeFirst().run();
            }
            known.remove(place);
        }
    }

    private Registry registered() {
        var registry = new Registry();
        threads =
                new Threads(
                        root,
                        new DirectoryWorkspaces(Optional.empty()),
                        TestWorkers.WORKERS,
                        registry);
        threads.filesMade(ALICE, "t").close();
        assertThat(registry.known).hasSize(1);
        return registry;
    }

    @Test
    void a_thread_made_anew_while_its_deletion_ends_stays_known() throws Exception {
        for (var sweep : new boolean[] {false, true}) {
            var registry = registered();
            var made = new AtomicBoolean();
            Runnable makeAnew =
                    () -> {
                        if (made.compareAndSet(false, true)) {
                            threads.filesMade(ALICE, "t").close();
                        }
                    };
            registry.removals.add(() -> {});
            registry.removals.add(makeAnew);
            if (sweep) {
                assertThat(threads.removeUnused(threads.all().getFirst())).isTrue();
            } else {
                threads.delete(ALICE, "t");
            }
            makeAnew.run();
            assertThat(registry.known).containsExactly(Threads.place(ALICE, "t"));
            threads.delete(ALICE, "t");
        }
    }

    @Test
    void a_thread_that_cannot_be_forgotten_at_first_is_when_its_files_are_gone() throws Exception {
        for (var sweep : new boolean[] {false, true}) {
            var registry = registered();
            registry.removals.add(() -> {
                throw new Refusal(Reason.UNAVAILABLE, "The disk is full.");
            });
            if (sweep) {
                assertThat(threads.removeUnused(threads.all().getFirst())).isTrue();
            } else {
                threads.delete(ALICE, "t");
            }
            assertThat(registry.known).isEmpty();
            assertThat(threads.find(ALICE, "t")).isEmpty();
        }
    }

    @Test
    void a_lease_that_is_over_opens_nothing_again() throws Exception {
        var lease = acquire(ALICE, "t");
        lease.close();
        assertThatThrownBy(lease::root).isInstanceOf(IllegalStateException.class);
        try (var next = acquire(ALICE, "t")) {
            lease.close();
            assertThat(next.root()).exists();
            assertThatThrownBy(() -> acquire(ALICE, "t")).isInstanceOf(Refusal.class);
        }
    }
}

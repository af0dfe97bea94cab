package dev.caisson.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class StoreTest {
    @TempDir Path directory;

    private Path file() {
        return directory.resolve("data/caisson.db");
    }

    private static int insert(Handle handle, String id) {
        return handle.execute(
                "INSERT INTO api_key (id, name, secret_hash, scopes, toolsets, created_at)"
                        + " VALUES (?, 'n', 'h', '[]', '[]', 0)",
                id);
    }

    private static long count(Store store) {
        return store.read(handle ->
                handle.createQuery("SELECT COUNT(*) FROM api_key").mapTo(Long.class).one());
    }

    @Test
    void what_is_written_is_there_after_opening_again() {
        try (var store = Store.open(file())) {
            int rows = store.write(handle -> insert(handle, "a"));
            assertThat(rows).isEqualTo(1);
        }
        try (var store = Store.open(file())) {
            assertThat(count(store)).isEqualTo(1);
        }
    }

    @Test
    void the_file_and_its_directory_are_the_owners_alone() throws Exception {
        try (var store = Store.open(file())) {
            store.write(handle -> insert(handle, "a"));
            try (var files = Files.list(directory.resolve("data"))) {
                assertThat(files.filter(file -> file.toString().contains(".db")).toList())
                        .anySatisfy(file -> assertThat(file.toString()).endsWith("-wal"))
                        .filteredOn(file -> !file.toString().endsWith(".lock"))
                        .allSatisfy(file -> assertThat(permissions(file)).isEqualTo("rw-------"));
            }
            assertThat(permissions(directory.resolve("data"))).isEqualTo("rwx------");
        }
    }

    private static String permissions(Path file) throws Exception {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void the_settings_we_rely_on_are_in_force_for_the_writer() {
        try (var store = Store.open(file())) {
            assertThat(pragma(store, "journal_mode")).isEqualTo("wal");
            assertThat(pragma(store, "synchronous")).isEqualTo("2");
            assertThat(pragma(store, "foreign_keys")).isEqualTo("1");
            assertThat(pragma(store, "busy_timeout")).isEqualTo("10000");
        }
    }

    private static String pragma(Store store, String name) {
        return store.write(
                handle -> handle.createQuery("PRAGMA " + name).mapTo(String.class).one());
    }

    @Test
    void readers_cannot_write() {
        try (var store = Store.open(file())) {
            assertThatThrownBy(() -> store.read(handle -> insert(handle, "a")))
                    .hasMessageContaining("readonly");
            assertThat(count(store)).isZero();
        }
    }

    @Test
    void many_callers_write_at_once_and_nothing_is_lost() throws Exception {
        var callers = 400;
        try (var store = Store.open(file());
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var jobs = new ArrayList<Callable<Integer>>();
            for (var i = 0; i < callers; i++) {
                var id = "key" + i;
                jobs.add(() -> store.write(handle -> insert(handle, id)));
            }
            for (var done : threads.invokeAll(jobs)) {
                assertThat(done.get()).isEqualTo(1);
            }
            assertThat(count(store)).isEqualTo(callers);
        }
    }

    @Test
    void a_unit_that_fails_is_taken_back_alone() throws Exception {
        try (var store = Store.open(file());
                var held = new HeldWriter(store);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var before = threads.submit(() -> store.write(handle -> insert(handle, "before")));
            held.awaitWaiting(1);
            var failing =
                    threads.submit(() ->
                            store.write(handle -> {
                                insert(handle, "half");
                                throw new Refusal(Reason.CONFLICT, "no");
                            }));
            held.awaitWaiting(2);
            var after = threads.submit(() -> store.write(handle -> insert(handle, "after")));
            held.awaitWaiting(3);
            held.release();

            assertThat(before.get()).isEqualTo(1);
            assertThat(after.get()).isEqualTo(1);
            assertThatThrownBy(failing::get)
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(Refusal.class);
            assertThat(ids(store)).containsExactly("after", "before");
        }
    }

    private static List<String> ids(Store store) {
        return store.read(handle ->
                handle.createQuery("SELECT id FROM api_key ORDER BY id")
                        .mapTo(String.class)
                        .list());
    }

    @Test
    void a_statement_that_fails_hurts_nobody_else() {
        try (var store = Store.open(file())) {
            store.write(handle -> insert(handle, "a"));
            assertThatThrownBy(() -> store.write(handle -> insert(handle, "a")))
                    .hasMessageContaining("UNIQUE");
            store.write(handle -> insert(handle, "b"));
            assertThat(ids(store)).containsExactly("a", "b");
        }
    }

    @Test
    void writers_beyond_the_limit_are_refused_and_those_within_are_served() throws Exception {
        var max = 5;
        try (var store = Store.open(file(), Duration.ofSeconds(10), max);
                var held = new HeldWriter(store);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var waiting = new ArrayList<Future<Integer>>();
            for (var i = 0; i < max; i++) {
                var id = "key" + i;
                waiting.add(threads.submit(() -> store.write(handle -> insert(handle, id))));
            }
            held.awaitWaiting(max);
            assertThatThrownBy(() -> store.write(handle -> insert(handle, "too many")))
                    .isInstanceOfSatisfying(
                            Refusal.class,
                            refusal -> {
                                assertThat(refusal.reason()).isEqualTo(Reason.NO_CAPACITY);
                                assertThat(refusal.sentence()).contains("5 writes are waiting");
                            });
            held.release();
            for (var done : waiting) {
                assertThat(done.get()).isEqualTo(1);
            }
            assertThat(count(store)).isEqualTo(max);
        }
    }

    @Test
    void readers_beyond_the_limit_wait_and_are_then_refused() throws Exception {
        try (var store = Store.open(file(), Duration.ofMillis(300), 10);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var inside = new CountDownLatch(Store.READERS_MAX);
            var leave = new CountDownLatch(1);
            for (var i = 0; i < Store.READERS_MAX; i++) {
                threads.execute(() ->
                        store.read(_ -> {
                            inside.countDown();
                            return awaited(leave);
                        }));
            }
            assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();
            assertThatThrownBy(() -> count(store))
                    .isInstanceOfSatisfying(
                            Refusal.class,
                            refusal -> assertThat(refusal.reason()).isEqualTo(Reason.NO_CAPACITY));
            leave.countDown();
        }
    }

    private static boolean awaited(CountDownLatch latch) {
        try {
            return latch.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException _) {
            return false;
        }
    }

    @Test
    void closing_writes_what_waits_and_refuses_what_comes_later() throws Exception {
        var store = Store.open(file());
        var held = new HeldWriter(store);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var waiting = threads.submit(() -> store.write(handle -> insert(handle, "a")));
            held.awaitWaiting(1);
            var closing = threads.submit(store::close);
            held.release();
            assertThat(waiting.get()).isEqualTo(1);
            closing.get();
        }
        assertThatThrownBy(() -> store.write(handle -> insert(handle, "b")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the store is closed");
        try (var again = Store.open(file())) {
            assertThat(ids(again)).containsExactly("a");
        }
    }

    @Test
    void an_interrupted_writer_still_learns_that_its_work_is_durable() throws Exception {
        try (var store = Store.open(file());
                var held = new HeldWriter(store)) {
            var written = new AtomicInteger();
            var interruptedAfterwards = new AtomicInteger();
            var caller =
                    Thread.ofVirtual()
                            .start(() -> {
                                written.set(store.write(handle -> insert(handle, "a")));
                                interruptedAfterwards.set(
                                        Thread.currentThread().isInterrupted() ? 1 : 0);
                            });
            held.awaitWaiting(1);
            caller.interrupt();
            held.release();
            caller.join();
            assertThat(written).hasValue(1);
            assertThat(interruptedAfterwards).hasValue(1);
        }
    }

    @Test
    void two_stores_on_one_file_write_in_turn() throws Exception {
        try (var one = Store.open(file());
                var two = Store.open(file());
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var jobs = new ArrayList<Callable<Integer>>();
            for (var i = 0; i < 100; i++) {
                var id = "key" + i;
                var store = i % 2 == 0 ? one : two;
                jobs.add(() -> store.write(handle -> insert(handle, id)));
            }
            for (var done : threads.invokeAll(jobs)) {
                assertThat(done.get()).isEqualTo(1);
            }
            assertThat(count(one)).isEqualTo(100);
            assertThat(count(two)).isEqualTo(100);
        }
    }

    @Test
    void stores_that_open_a_new_file_at_once_all_succeed() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var jobs = new ArrayList<Callable<Store>>();
            for (var i = 0; i < 4; i++) {
                jobs.add(() -> Store.open(file()));
            }
            for (var opened : threads.invokeAll(jobs)) {
                try (var store = opened.get()) {
                    assertThat(count(store)).isZero();
                }
            }
        }
    }

    @Test
    void a_schema_from_the_future_is_refused_by_name() {
        try (var store = Store.open(file())) {
            store.write(handle ->
                    handle.execute(
                            "INSERT INTO flyway_schema_history (installed_rank, version,"
                                    + " description, type, script, checksum, installed_by,"
                                    + " execution_time, success) VALUES (99, '99',"
                                    + " 'later', 'SQL', 'V99__later.sql', 1, '', 1, 1)"));
        }
        assertThatThrownBy(() -> Store.open(file()))
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> {
                            assertThat(refusal.reason()).isEqualTo(Reason.UNAVAILABLE);
                            assertThat(refusal.sentence())
                                    .contains("newer version of this program", "schema 99");
                        });
    }
}

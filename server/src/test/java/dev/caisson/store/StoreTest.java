package dev.caisson.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Durable;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.io.PrintWriter;
import java.io.StringWriter;
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
import java.util.function.Function;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class StoreTest extends DatabaseTestCase {

    private static int insert(Transaction handle, String id) {
        return handle.execute(
                "INSERT INTO api_key (id, name, secret_hash, scopes, toolsets, created_at)"
                        + " VALUES (?, 'n', 'h', '[]', '[]', 0)",
                id);
    }

    private static long count(Store store) {
        return store.read(
                handle -> handle.query("SELECT COUNT(*) FROM api_key").mapTo(Long.class).one());
    }

    @Test
    void what_is_written_is_there_after_opening_again() {
        try (var store = database.open()) {
            int rows = store.write(handle -> insert(handle, "a"));
            assertThat(rows).isEqualTo(1);
        }
        try (var store = database.open()) {
            assertThat(count(store)).isEqualTo(1);
        }
    }

    @Test
    void readers_cannot_write() {
        try (var store = database.open()) {
            assertThatThrownBy(() -> store.read(handle -> insert(handle, "a")))
                    .message()
                    .containsPattern("read-?only");
            assertThat(count(store)).isZero();
        }
    }

    @Test
    void many_callers_write_at_once_and_nothing_is_lost() throws Exception {
        var callers = 400;
        try (var store = database.open();
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
        try (var store = database.open();
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
                handle.query("SELECT id FROM api_key ORDER BY id").mapTo(String.class).list());
    }

    @Test
    void a_statement_that_fails_hurts_nobody_else() {
        try (var store = database.open()) {
            store.write(handle -> insert(handle, "a"));
            assertThatThrownBy(() -> store.write(handle -> insert(handle, "a")))
                    .message()
                    .containsIgnoringCase("unique");
            store.write(handle -> insert(handle, "b"));
            assertThat(ids(store)).containsExactly("a", "b");
        }
    }

    @Test
    void writers_beyond_the_limit_are_refused_and_those_within_are_served() throws Exception {
        var max = 5;
        try (var store = database.open(Duration.ofSeconds(10), max);
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
        try (var store = database.open(Duration.ofMillis(300), 10);
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
        var store = database.open();
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
        try (var again = database.open()) {
            assertThat(ids(again)).containsExactly("a");
        }
    }

    @Test
    void an_interrupted_writer_still_learns_that_its_work_is_durable() throws Exception {
        try (var store = database.open();
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
    void what_is_to_be_written_soon_comes_before_what_is_written_next() {
        try (var store = database.open()) {
            var soon = store.soon(handle -> insert(handle, "soon"));
            var seen =
                    store.write(handle -> {
                        return handle.query("SELECT COUNT(*) FROM api_key").mapTo(Long.class).one();
                    });
            assertThat(seen).isEqualTo(1);
            soon.await();
            assertThat(count(store)).isEqualTo(1);
        }
    }

    @Test
    void what_is_to_be_written_soon_is_written_though_nothing_follows() throws Exception {
        try (var store = database.open()) {
            var told = new CountDownLatch(1);
            store.soon(handle -> insert(handle, "alone")).then(_ -> told.countDown());
            assertThat(told.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(count(store)).isEqualTo(1);

            store.soon(handle -> insert(handle, "awaited")).await();
            store.later(handle -> insert(handle, "later")).await();
            assertThat(count(store)).isEqualTo(3);

            store.soon(handle -> insert(handle, "last"));
        }
        try (var store = database.open()) {
            assertThat(count(store)).isEqualTo(4);
        }
    }

    @Test
    void a_failure_of_what_is_on_its_way_is_told_to_whoever_waits() throws Exception {
        try (var store = database.open()) {
            for (var way :
                    List.<Function<StoreWork<Integer>, Durable>>of(store::soon, store::later)) {
                var told = new CountDownLatch(1);
                var broken =
                        way.apply(_ -> {
                            throw new IllegalStateException("no");
                        });
                broken.then(_ -> told.countDown());
                assertThatThrownBy(broken::await).hasMessageContaining("no");
                assertThat(told.await(30, TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    @Test
    void a_failure_does_not_show_what_was_to_be_written() {
        try (var store = database.open()) {
            store.write(handle -> insert(handle, "print-4711"));
            assertThatThrownBy(() -> store.write(handle -> insert(handle, "print-4711")))
                    .satisfies(failure -> {
                        var trace = new StringWriter();
                        failure.printStackTrace(new PrintWriter(trace));
                        assertThat(trace.toString())
                                .containsIgnoringCase("unique")
                                .doesNotContain("4711");
                    });
        }
    }

    @Test
    void two_stores_on_one_file_write_in_turn() throws Exception {
        try (var one = database.open();
                var two = database.open();
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
                jobs.add(() -> database.open());
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
        try (var store = database.open()) {
            store.write(handle ->
                    handle.execute(
                            "INSERT INTO flyway_schema_history (installed_rank, version,"
                                    + " description, type, script, checksum, installed_by,"
                                    + " execution_time, success) VALUES (99, '99',"
                                    + " 'later', 'SQL', 'V99__later.sql', 1, '', 1, TRUE)"));
        }
        assertThatThrownBy(() -> database.open())
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> {
                            assertThat(refusal.reason()).isEqualTo(Reason.UNAVAILABLE);
                            assertThat(refusal.sentence())
                                    .contains("newer version of this program", "schema 99");
                        });
    }

    @Test
    void what_many_bring_is_done_together_and_each_gets_its_own_answer() throws Exception {
        var calls = new AtomicInteger();
        try (var store = database.open();
                var held = new HeldWriter(store);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            JointWriter<String, String> joint =
                    store.joint((handle, ids) -> {
                        calls.incrementAndGet();
                        ids.forEach(id -> insert(handle, id));
                        return ids.stream().map(id -> "did " + id).toList();
                    });
            var waiting = new ArrayList<Future<String>>();
            for (var i = 0; i < 20; i++) {
                var id = "key" + i;
                waiting.add(threads.submit(() -> joint.write(id)));
            }
            Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> joint.gathered() == 20);
            held.release();
            for (var i = 0; i < waiting.size(); i++) {
                assertThat(waiting.get(i).get()).isEqualTo("did key" + i);
            }
            assertThat(calls).hasValue(1);
            assertThat(count(store)).isEqualTo(20);
        }
    }

    @Test
    void joint_work_that_fails_fails_for_all_in_it_and_for_nobody_else() throws Exception {
        try (var store = database.open()) {
            var joint = inserting(store);
            assertThat(joint.write("a")).isEqualTo(1);
            assertThatThrownBy(() -> joint.write("a"))
                    .hasMessage("the transaction was not committed")
                    .rootCause()
                    .message()
                    .containsIgnoringCase("unique");
            assertThat(joint.write("b")).isEqualTo(1);
            assertThat(ids(store)).containsExactly("a", "b");
        }
    }

    @Test
    void those_who_bring_beyond_the_limit_are_refused() throws Exception {
        var max = 3;
        try (var store = database.open(Duration.ofSeconds(10), max);
                var held = new HeldWriter(store);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var joint = inserting(store);
            var waiting = new ArrayList<Future<Integer>>();
            for (var i = 0; i < max; i++) {
                var id = "key" + i;
                waiting.add(threads.submit(() -> joint.write(id)));
            }
            Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> joint.gathered() == max);
            assertThatThrownBy(() -> joint.write("too many"))
                    .isInstanceOfSatisfying(
                            Refusal.class,
                            refusal -> assertThat(refusal.reason()).isEqualTo(Reason.NO_CAPACITY));
            held.release();
            for (var done : waiting) {
                assertThat(done.get()).isEqualTo(1);
            }
        }
    }

    @Test
    void what_nobody_waits_for_is_written_soon_and_at_the_latest_when_the_store_is_closed() {
        try (var store = database.open()) {
            var joint = inserting(store);
            joint.writeLater("soon", _ -> {});
            Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> count(store) == 1);
            joint.writeLater("last", _ -> {});
        }
        try (var store = database.open()) {
            assertThat(ids(store)).containsExactly("last", "soon");
        }
    }

    @Test
    void a_failure_of_what_nobody_waits_for_is_told() {
        var told = new AtomicInteger();
        try (var store = database.open()) {
            var joint = inserting(store);
            joint.write("a");
            joint.writeLater("a", _ -> told.incrementAndGet());
        }
        assertThat(told).hasValue(1);
    }

    @Test
    void what_nobody_waits_for_has_no_limit_and_whoever_brought_it_is_told() throws Exception {
        var count = 12;
        try (var store = database.open(Duration.ofSeconds(10), count / 2);
                var held = new HeldWriter(store)) {
            var joint = inserting(store);
            var durable = new AtomicInteger();
            for (var i = 0; i < count; i++) {
                joint.writeLater("key" + i, counting(durable));
            }
            held.release();
            Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> durable.get() == count);
            assertThat(count(store)).isEqualTo(count);
        }
    }

    private static JointWriter.Told counting(AtomicInteger durable) {
        return new JointWriter.Told() {
            @Override
            public void durable() {
                durable.incrementAndGet();
            }

            @Override
            public void failed(Throwable why) {
                throw new AssertionError(why);
            }
        };
    }

    private static JointWriter<String, Integer> inserting(Store store) {
        return store.joint((handle, ids) -> ids.stream().map(id -> insert(handle, id)).toList());
    }
}

package dev.caisson.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// When the disk is full, or somebody else holds the database, everybody who waits is told so, and
/// the writer serves the next.
@Timeout(60)
final class FailedCommitTest {
    @TempDir Path directory;

    private Path file() {
        return directory.resolve("caisson.db");
    }

    private static int add(Store store, String id, int nameLength) {
        return store.write(handle -> insert(handle, id, nameLength));
    }

    private static int insert(Transaction handle, String id, int nameLength) {
        return handle.execute(
                "INSERT INTO api_key (id, name, secret_hash, scopes, toolsets, created_at)"
                        + " VALUES (?, ?, 'h', '[]', '[]', 0)",
                id,
                "n".repeat(nameLength));
    }

    private static long count(Store store) {
        return store.read(
                handle -> handle.query("SELECT COUNT(*) FROM api_key").mapTo(Long.class).one());
    }

    /// SQLite's own way to have a full disk: the file may not grow.
    private static void fill(Store store) {
        pageCountMax(store, 1);
    }

    private static void pageCountMax(Store store, int pages) {
        store.write(handle ->
                handle.query("PRAGMA max_page_count = " + pages).mapTo(Integer.class).one());
    }

    private static void assertRefused(ThrowingCallable writing, Reason reason, String words) {
        assertThatThrownBy(writing)
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> {
                            assertThat(refusal.reason()).isEqualTo(reason);
                            assertThat(refusal.sentence()).contains(words);
                        });
    }

    @Test
    void a_full_disk_is_a_refusal_and_the_writer_goes_on() {
        try (var store = Store.open(file())) {
            fill(store);
            assertRefused(() -> add(store, "a", 100_000), Reason.UNAVAILABLE, "disk is full");
            assertThatThrownBy(() -> add(store, "a", 100_000))
                    .isInstanceOfSatisfying(
                            Refusal.class,
                            refusal -> {
                                assertThat(refusal.sentence()).contains("try again");
                                assertThat(refusal.isRetryable()).isTrue();
                                assertThat(refusal.retryAfter()).isPresent();
                            });
            assertThat(add(store, "small", 1)).isEqualTo(1);
            pageCountMax(store, 1_000_000);
            assertThat(add(store, "a", 100_000)).isEqualTo(1);
            assertThat(count(store)).isEqualTo(2);
        }
    }

    @Test
    void a_commit_that_fails_refuses_everybody_in_it_and_the_writer_goes_on() throws Exception {
        var callers = 5;
        try (var store = Store.open(file());
                var held = new HeldWriter(store);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var waiting = new ArrayList<Future<Integer>>();
            for (var i = 0; i < callers; i++) {
                var id = "key" + i;
                waiting.add(threads.submit(() -> add(store, id, 1)));
                held.awaitWaiting(i + 1);
            }
            // A deferred constraint is looked at by the commit alone, which then fails as a whole.
            var orphan = threads.submit(() -> store.write(FailedCommitTest::insertOrphan));
            held.awaitWaiting(callers + 1);
            held.release();

            waiting.add(orphan);
            assertThat(waiting)
                    .hasSize(callers + 1)
                    .allSatisfy(one ->
                            assertThatThrownBy(one::get)
                                    .cause()
                                    .isInstanceOf(IllegalStateException.class)
                                    .hasMessage("the transaction was not committed")
                                    .hasRootCauseInstanceOf(org.sqlite.SQLiteException.class));
            assertThat(count(store)).isZero();
            assertThat(add(store, "next", 1)).isEqualTo(1);
            assertThat(count(store)).isEqualTo(1);
        }
    }

    private static int insertOrphan(Transaction handle) {
        handle.execute("PRAGMA defer_foreign_keys = ON");
        return handle.execute(
                "INSERT INTO process_history (process_id, step, to_state, actor, reason, at)"
                        + " VALUES ('nobody', 1, 'working', 'a', 'r', 0)");
    }

    @Test
    void a_database_held_by_somebody_else_is_a_refusal_and_the_writer_goes_on() throws Exception {
        var engine = new SqliteEngine(file(), Duration.ofMillis(200));
        try (var store = Store.open(engine, StoreLimits.DEFAULT);
                var other = DriverManager.getConnection("jdbc:sqlite:" + file());
                var statement = other.createStatement()) {
            statement.execute("BEGIN IMMEDIATE");
            for (var i = 0; i < 2; i++) {
                assertRefused(() -> add(store, "a", 1), Reason.NO_CAPACITY, "Another process");
            }
            statement.execute("ROLLBACK");
            assertThat(add(store, "a", 1)).isEqualTo(1);
            assertRefused(
                    () ->
                            store.write(handle -> {
                                insert(handle, "half", 1);
                                throw new Refusal(Reason.CONFLICT, "no");
                            }),
                    Reason.CONFLICT,
                    "no");
            assertThat(count(store)).isEqualTo(1);
        }
    }

    @Test
    void closing_waits_for_what_was_taken_also_when_interrupted() throws Exception {
        var store = Store.open(file());
        var held = new HeldWriter(store);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var waiting = threads.submit(() -> add(store, "a", 1));
            held.awaitWaiting(1);
            var closing = Thread.ofVirtual().start(store::close);
            closing.interrupt();
            assertThat(closing.join(Duration.ofMillis(200))).isFalse();
            held.release();
            assertThat(waiting.get()).isEqualTo(1);
            closing.join();
        }
        try (var again = Store.open(file())) {
            assertThat(count(again)).isEqualTo(1);
        }
    }
}

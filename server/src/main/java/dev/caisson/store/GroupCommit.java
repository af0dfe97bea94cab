package dev.caisson.store;

import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/// The only writer of this process. It takes whatever waits, does all of it in one transaction, and
/// tells each caller once that transaction is durable; what comes meanwhile is the next
/// transaction. So the price of a durable commit, which is the disk's, is shared by all who wait.
///
/// A unit that fails is taken back alone. A commit that fails, fails for every unit in it.
final class GroupCommit implements AutoCloseable {
    /// How many units one transaction holds at most, so that the first of them does not wait long.
    static final int BATCH_MAX = 512;

    /// How many units may wait.
    static final int WAITING_MAX = 4096;

    private final Jdbi jdbi;
    private final Backlog backlog;
    private final Thread writer;

    GroupCommit(Jdbi jdbi, int waitingMax) {
        this.jdbi = jdbi;
        this.backlog = new Backlog(waitingMax);
        // A platform thread: SQLite's native calls would hold on to a virtual thread's carrier.
        this.writer = Thread.ofPlatform().name("store-writer").daemon().start(this::writeUntilEnd);
    }

    <T> T write(Work<T> work) {
        var unit = new Unit<>(work);
        backlog.add(unit);
        return unit.await();
    }

    int waiting() {
        return backlog.size();
    }

    private void writeUntilEnd() {
        for (var units = backlog.take(BATCH_MAX);
                !units.isEmpty();
                units = backlog.take(BATCH_MAX)) {
            commit(units);
        }
    }

    private void commit(List<Unit<?>> units) {
        try {
            var tellings =
                    jdbi.inTransaction(handle -> {
                        return runAll(handle, units);
                    });
            tellings.forEach(Runnable::run);
        } catch (RuntimeException | Error failure) {
            // Whatever it was, nobody may be left waiting, and the next transaction may succeed.
            units.forEach(unit ->
                    unit.fail(
                            new IllegalStateException(
                                    "the transaction was not committed", failure)));
        }
    }

    private static List<Runnable> runAll(Handle handle, List<Unit<?>> units) {
        var tellings = new ArrayList<Runnable>(units.size());
        for (var unit : units) {
            tellings.add(unit.run(handle));
        }
        return tellings;
    }

    /// Takes no more work, and returns when all that was taken is durable.
    @Override
    public void close() {
        backlog.close();
        try {
            writer.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}

package dev.caisson.store;

import dev.caisson.call.Durable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/// The only writer of this process. It takes whatever waits, does all of it in one transaction, and
/// tells each caller once that transaction is durable; what comes meanwhile is the next
/// transaction. So the price of a durable commit, which is the disk's, is shared by all who wait.
///
/// What nobody waits for yet may stay a moment, to share the next commit.
///
/// A unit that fails is taken back alone. A commit that fails, fails for every unit in it.
final class GroupCommit implements AutoCloseable {
    /// How many units one transaction holds at most, so that the first of them does not wait long.
    static final int BATCH_MAX = 512;

    /// How many units may wait.
    static final int WAITING_MAX = 4096;

    private final DatabaseEngine engine;
    private final Jdbi jdbi;
    private final Failures failures;
    private final int waitingMax;
    private final WriteQueue backlog;
    private final List<JointWriter<?, ?>> joints = new CopyOnWriteArrayList<>();
    private final Thread writer;

    /// What every transaction does first.
    private volatile Optional<Supplier<WriteUnit>> ahead = Optional.empty();

    GroupCommit(DatabaseEngine engine, Jdbi jdbi, int waitingMax) {
        this.engine = engine;
        this.jdbi = jdbi;
        this.failures = new Failures(engine);
        this.waitingMax = waitingMax;
        this.backlog = new WriteQueue(waitingMax);
        // A platform thread: SQLite's native calls would hold on to a virtual thread's carrier.
        this.writer = Thread.ofPlatform().name("store-writer").daemon().start(this::writeUntilEnd);
    }

    <T> T write(StoreWork<T> work) {
        var unit = new SingleUnit<>(work);
        backlog.add(unit);
        return unit.await();
    }

    /// Begins at once and waits for nothing.
    Durable later(StoreWork<?> work) {
        var unit = new SingleUnit<>(work);
        backlog.add(unit);
        return onItsWay(unit);
    }

    /// Goes along with what is written next.
    Durable soon(StoreWork<?> work) {
        var unit = new SingleUnit<>(work);
        backlog.addPatient(unit);
        return onItsWay(unit);
    }

    private Durable onItsWay(SingleUnit<?> unit) {
        return new Durable() {
            @Override
            public void await() {
                if (!unit.hasEnded()) {
                    backlog.hurry();
                }
                try {
                    unit.await();
                } catch (RuntimeException failure) {
                    throw failures.writing(failure);
                }
            }

            @Override
            public boolean isWaiting() {
                return !unit.isTaken();
            }

            @Override
            public void then(Next next) {
                unit.then(next);
            }
        };
    }

    <I, T> JointWriter<I, T> joint(JointWork<I, T> work) {
        var joint = new JointWriter<>(work, backlog::add, failures, waitingMax);
        joints.add(joint);
        return joint;
    }

    /// @param first makes the unit that every transaction does before all others
    void begin(Supplier<WriteUnit> first) {
        ahead = Optional.of(first);
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

    private void commit(List<WriteUnit> taken) {
        taken.forEach(WriteUnit::taken);
        var units = new ArrayList<WriteUnit>(taken.size() + 1);
        ahead.ifPresent(first -> units.add(first.get()));
        units.addAll(taken);
        List<Runnable> tellings;
        try {
            tellings =
                    jdbi.inTransaction(handle -> {
                        engine.writeAlone(handle);
                        return runAll(handle, units);
                    });
        } catch (RuntimeException | Error failure) {
            // Whatever it was, nobody may be left waiting, and the next transaction may succeed.
            tellings = units.stream().map(unit -> failing(unit, failure)).toList();
        }
        tellings.forEach(Runnable::run);
    }

    /// Each caller gets an exception of its own: one that several threads throw would mix up their
    /// suppressed ones.
    private Runnable failing(WriteUnit unit, Throwable failure) {
        return () -> unit.fail(() -> failures.committing(failure));
    }

    private static List<Runnable> runAll(Handle handle, List<WriteUnit> units) {
        var tellings = new ArrayList<Runnable>(units.size());
        for (var unit : units) {
            tellings.add(unit.run(handle));
        }
        return tellings;
    }

    /// Takes no more work, and returns when all that was taken is durable. An interrupt does not
    /// end the waiting, for the database must not be closed before; it is still there afterwards.
    @Override
    public void close() {
        joints.forEach(JointWriter::flush);
        backlog.close();
        var interrupted = false;
        while (writer.isAlive()) {
            try {
                writer.join();
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

package dev.caisson.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;

/// Batching writer: gathers what callers bring while the writer is busy, and does all of it in one
/// go when its turn comes. For what is written often and is always alike: many rows cost little
/// more than one.
///
/// If the work fails, it fails for everybody who was in it.
public final class JointWriter<I, T> {
    /// How long what nobody waits for may stay, so that more comes with it.
    private static final Duration LATER = Duration.ofMillis(20);

    /// What becomes of something that nobody waits for. Both are called by the writer.
    @FunctionalInterface
    public interface Told {
        void failed(Throwable why);

        default void durable() {}
    }

    private record Brought<I, T>(I item, CommitWaiter<T> caller) {}

    private final JointWork<I, T> work;
    private final Consumer<WriteUnit> backlog;
    private final Failures failures;
    private final int waitingMax;
    private final ReentrantLock lock = new ReentrantLock();
    private List<Brought<I, T>> gathered = new ArrayList<>();

    /// How many of them somebody waits for.
    private int waiting;

    /// Whether a turn was asked for, and whether somebody will ask in a moment.
    private boolean asked;

    private boolean timed;

    JointWriter(
            JointWork<I, T> work, Consumer<WriteUnit> backlog, Failures failures, int waitingMax) {
        this.work = work;
        this.backlog = backlog;
        this.failures = failures;
        this.waitingMax = waitingMax;
    }

    /// Returns when it is durable.
    ///
    /// @throws dev.caisson.call.Refusal NO_CAPACITY when too many writers wait already
    public T write(I item) {
        var caller = new CommitWaiter<T>();
        bring(new Brought<>(item, caller));
        try {
            return caller.await();
        } catch (RuntimeException failure) {
            throw failures.writing(failure);
        }
    }

    /// Returns at once; it will be durable in a moment, unless this process ends before. What is
    /// brought so is written in the order it came, also beside what others wait for. There is no
    /// limit here: a caller that does not wait keeps to a limit of its own.
    public void writeLater(I item, Told told) {
        var nobody = new CommitWaiter<T>();
        nobody.onEnd(told);
        add(new Brought<>(item, nobody));
    }

    /// The first to come asks for a turn; who comes before that turn shares it.
    private void bring(Brought<I, T> brought) {
        lock.lock();
        try {
            if (waiting >= waitingMax) {
                throw WriteQueue.full(waitingMax);
            }
            askForTurn();
            waiting++;
            gathered.add(brought);
        } finally {
            lock.unlock();
        }
    }

    /// Shares the next turn, which this writer itself asks for a little later if no other does.
    private void add(Brought<I, T> brought) {
        lock.lock();
        try {
            gathered.add(brought);
            if (!asked && !timed) {
                timed = true;
                Thread.ofVirtual().start(this::flushSoon);
            }
        } finally {
            lock.unlock();
        }
    }

    private void flushSoon() {
        try {
            Thread.sleep(LATER);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        flush();
    }

    /// Has everything written that waits, without waiting for it.
    public void flush() {
        lock.lock();
        try {
            timed = false;
            if (!gathered.isEmpty()) {
                askForTurn();
            }
        } catch (RuntimeException refused) {
            takeAll().forEach(one -> one.caller().fail(refused));
        } finally {
            lock.unlock();
        }
    }

    private void askForTurn() {
        if (!asked) {
            backlog.accept(new Turn());
            asked = true;
        }
    }

    /// How many wait for the next turn.
    int gathered() {
        lock.lock();
        try {
            return gathered.size();
        } finally {
            lock.unlock();
        }
    }

    private List<Brought<I, T>> takeAll() {
        lock.lock();
        try {
            var all = gathered;
            gathered = new ArrayList<>();
            waiting = 0;
            asked = false;
            return all;
        } finally {
            lock.unlock();
        }
    }

    private final class Turn implements WriteUnit {
        private List<Brought<I, T>> mine = List.of();

        @Override
        public Runnable run(Handle handle) {
            mine = takeAll();
            handle.savepoint("unit");
            try {
                var answers = answers(handle);
                handle.releaseSavepoint("unit");
                return () -> tell(answers);
            } catch (RuntimeException | Error failure) {
                WriteUnit.takeBack(handle, failure);
                return () -> fail(() -> failures.committing(failure));
            }
        }

        private List<T> answers(Handle handle) {
            var answers =
                    work.run(new Transaction(handle), mine.stream().map(Brought::item).toList());
            if (answers.size() != mine.size()) {
                throw new IllegalStateException(
                        answers.size() + " answers to " + mine.size() + " items");
            }
            return answers;
        }

        private void tell(List<T> answers) {
            for (var i = 0; i < mine.size(); i++) {
                mine.get(i).caller().tell(answers.get(i));
            }
        }

        /// When not even a transaction could be begun, nobody was taken in yet.
        @Override
        public void fail(Supplier<RuntimeException> failure) {
            var all = mine.isEmpty() ? takeAll() : mine;
            all.forEach(one -> one.caller().fail(failure.get()));
        }
    }
}

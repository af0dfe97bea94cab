package dev.caisson.store;

import dev.caisson.call.Durable;
import dev.caisson.call.Refusal;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Write-ahead journal in front of the database. A record is durable when the disk has its few
/// bytes in a [JournalFile]; the database gets it with many others a moment later, and at once when
/// somebody reads what may be among them, see [Store#settle]. What a process leaves here when it
/// ends, however it ends, the next one replays.
///
/// Every transaction of the [GroupCommit] writes first what is here. So the database has it before
/// anything that is written later, and in the order it came. It notes in the same transaction the
/// number of the last record it has: each gets in once.
///
/// While the database fails, or there is no room, the journal takes nothing: callers wait for the
/// database themselves, and hear what it says.
public final class Journal implements AutoCloseable {
    /// How long a record stays here at most while the database works.
    static final Duration BATCH = Duration.ofMillis(100);

    private static final Logger LOG = LoggerFactory.getLogger(Journal.class);
    private static final Duration WARN_EVERY = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Store store;
    private final Path directory;
    private final Map<Byte, JournalKind<?>> kinds;
    private final JournalFile file;
    private final JournalSync sync;
    private final Failures failures;
    private final ReentrantLock lock = new ReentrantLock();

    /// On their way to the database, in their order.
    private final Deque<Pending<?>> pending = new ArrayDeque<>();

    private boolean timed;

    /// How often the database was tried.
    private long turns;

    private boolean trusted = true;
    private boolean closed;
    private Optional<Throwable> failure = Optional.empty();
    private volatile long settled;
    private volatile long last;
    private long warned = System.nanoTime() - WARN_EVERY.toNanos();

    /// @param settled is done when the database has it, by the store's writer
    record Pending<I>(JournalKind<I> kind, I item, long number, Runnable settled) {}

    Journal(Store store, Failures failures, Path directory, List<JournalKind<?>> kinds) {
        this.store = store;
        this.directory = directory;
        this.kinds =
                kinds.stream().collect(Collectors.toMap(JournalKind::code, Function.identity()));
        this.file = JournalFile.create(directory);
        this.failures = failures;
        this.sync = new JournalSync(() -> last, file::force);
    }

    boolean isOpen() {
        lock.lock();
        try {
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    /// Whether the database took what it was last given.
    public boolean isTrusted() {
        lock.lock();
        try {
            return trusted;
        } finally {
            lock.unlock();
        }
    }

    /// Takes a record.
    ///
    /// @param settled is done when the database has it; must neither take long nor throw
    /// @return durable when the disk has it; empty when it is not taken now
    public <I> Optional<Durable> append(JournalKind<I> kind, I item, Runnable settled) {
        var form = kind.form(item);
        lock.lock();
        try {
            var number =
                    trusted && !closed && !sync.isBroken()
                            ? put(kind.code(), form)
                            : OptionalLong.empty();
            if (number.isEmpty()) {
                return Optional.empty();
            }
            last = number.getAsLong();
            pending.add(new Pending<>(kind, item, last, settled));
            if (!timed) {
                timed = true;
                writeIn(BATCH);
            }
            return Optional.of(new Forced(last));
        } finally {
            lock.unlock();
        }
    }

    /// A journal that cannot be written takes nothing.
    private OptionalLong put(byte kind, byte[] form) {
        try {
            return file.put(kind, form);
        } catch (IOException failure) {
            LOG.error("the journal cannot be written; calls wait for the database", failure);
            return OptionalLong.empty();
        }
    }

    /// Unless somebody else has it written before.
    private void writeIn(Duration wait) {
        long now = turns;
        Thread.ofVirtual()
                .name("journal-batch")
                .start(() -> {
                    try {
                        Thread.sleep(wait);
                        if (isTurn(now)) {
                            settle();
                        }
                    } catch (InterruptedException ended) {
                        Thread.currentThread().interrupt();
                    } catch (RuntimeException failed) {
                        warn(failed);
                    }
                });
    }

    private boolean isTurn(long number) {
        lock.lock();
        try {
            return turns == number;
        } finally {
            lock.unlock();
        }
    }

    private void warn(Throwable why) {
        lock.lock();
        try {
            long now = System.nanoTime();
            if (now - warned > WARN_EVERY.toNanos()) {
                warned = now;
                LOG.warn("the journal could not be written to the database; retrying", why);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Returns when the database has everything that was taken before.
    ///
    /// @throws Refusal when the database is away or full
    void settle() {
        long wanted = last;
        if (settled < wanted) {
            // The turn comes before it, in the same transaction.
            store.write(_ -> true);
            if (settled < wanted) {
                throw failures.committing(failure());
            }
        }
    }

    private Throwable failure() {
        lock.lock();
        try {
            return failure.orElseGet(() -> new IllegalStateException("the journal is not settled"));
        } finally {
            lock.unlock();
        }
    }

    /// What a transaction of the database does first.
    WriteUnit turn() {
        return new JournalBatch(new Turn());
    }

    /// What one transaction takes.
    final class Turn implements JournalBatch.Source {
        private List<Pending<?>> mine = List.of();

        @Override
        public String name() {
            return file.name();
        }

        @Override
        public List<Pending<?>> take() {
            lock.lock();
            try {
                mine = new ArrayList<>(pending);
                pending.clear();
                if (!mine.isEmpty()) {
                    file.alternate();
                }
                return mine;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void settled() {
            long number = mine.getLast().number();
            lock.lock();
            try {
                trusted = true;
                turns++;
                failure = Optional.empty();
                settled = number;
                file.settle(number);
                timed = !pending.isEmpty();
                if (timed) {
                    writeIn(BATCH);
                }
            } finally {
                lock.unlock();
            }
            sync.settled(number);
            mine.forEach(one -> one.settled().run());
        }

        /// Their calls were answered, so they are tried until they are written.
        @Override
        public void failed(Throwable why) {
            warn(why);
            lock.lock();
            try {
                trusted = false;
                turns++;
                failure = Optional.of(why);
                mine.reversed().forEach(pending::addFirst);
                timed = !closed;
                if (timed) {
                    writeIn(PAUSE);
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /// A record that the disk is to have.
    private final class Forced implements Durable {
        private final long number;

        Forced(long number) {
            this.number = number;
        }

        /// Where the disk does not take the journal, the database must have it.
        @Override
        public void await() {
            if (!sync.await(number)) {
                settle();
            }
        }

        @Override
        public boolean isWaiting() {
            return !sync.isDurable(number);
        }

        @Override
        public void then(Next next) {
            sync.then(number, next);
        }
    }

    /// Writes to the database what processes left when they ended. What cannot be written stays for
    /// the next time. Any process may call it at any time.
    ///
    /// @return how many records
    public int replay() {
        return JournalFile.left(directory).stream().mapToInt(this::replay).sum();
    }

    private int replay(JournalFile left) {
        try {
            var items = left.all();
            int count = new JournalReplay(store, kinds).replay(left.name(), items);
            left.remove();
            store.write(handle -> JournalRows.forget(handle, left.name()));
            if (count > 0) {
                LOG.info("recovered {} records of the journal of a process that ended", count);
            }
            return count;
        } catch (RuntimeException failed) {
            LOG.error("the journal {} could not be replayed; it stays", left.name(), failed);
            left.close();
            return 0;
        }
    }

    /// Has everything written. What could not be is left for the next start. To be called before
    /// the store is closed.
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        try {
            settle();
        } catch (RuntimeException failed) {
            LOG.warn("the journal could not be written; the next start will write it", failed);
        }
        sync.close();
        if (settled < last) {
            file.close();
            return;
        }
        file.remove();
        if (last > 0) {
            store.write(handle -> JournalRows.forget(handle, file.name()));
        }
    }
}

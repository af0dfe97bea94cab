package dev.caisson.share;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;

/// Worker pool in which the server computes for callers: a few platform threads, in turns between
/// callers, so that neither other callers nor the threads that answer requests wait for what one
/// caller asked for.
///
/// Work comes in slices of some milliseconds: whoever packs an archive asks for each piece anew,
/// and holds no thread while its client reads. To cancel a slice, interrupt the thread that waits
/// for it.
public final class Workers implements AutoCloseable {
    /// How long work may go on before others have their turn.
    static final Duration SLICE = Duration.ofMillis(5);

    private static final int WAITING_MAX = 10_000;
    private static final Duration WAIT_MAX = Duration.ofSeconds(60);

    private final WaitingShare turns;
    private final ExecutorService threads;

    /// @param factory makes platform threads, which may have a lower priority than others
    public Workers(int count, ShareLimit part, ThreadFactory factory) {
        turns =
                new WaitingShare(
                        new Share("computing", "threads that compute", count, part),
                        WAITING_MAX,
                        WAIT_MAX);
        threads = Executors.newFixedThreadPool(count, factory);
    }

    /// Something to compute.
    ///
    /// @param <X> what it may throw
    @FunctionalInterface
    public interface Work<T, X extends Exception> {
        T get() throws X, InterruptedException;
    }

    /// Work that is done step by step, each of them short.
    ///
    /// @param <X> what it may throw
    @FunctionalInterface
    public interface Steps<X extends Exception> {
        /// Does one step.
        ///
        /// @return whether there is another one
        boolean next() throws X, InterruptedException;
    }

    /// Computes something on one of the threads when the caller's turn has come, and waits for it.
    ///
    /// @throws X what the work threw
    /// @throws InterruptedException when interrupted; the work was interrupted too and has ended
    /// @throws dev.caisson.call.Refusal `NO_CAPACITY` when the turn did not come for long
    public <T, X extends Exception> T run(String caller, Work<T, X> work)
            throws X, InterruptedException {
        try (var _ = turns.take(caller, 1)) {
            var slice = new Slice<>(work::get);
            threads.execute(slice);
            return slice.<X>await();
        }
    }

    /// Does all steps, as many in each slice as its time allows.
    public <X extends Exception> void runAll(String caller, Steps<X> steps)
            throws X, InterruptedException {
        while (runSlice(caller, steps)) {
            // Others had their turn.
        }
    }

    /// Does the steps of one slice.
    ///
    /// @return whether there are more
    public <X extends Exception> boolean runSlice(String caller, Steps<X> steps)
            throws X, InterruptedException {
        return this.<Boolean, X>run(
                caller,
                () -> {
                    long end = System.nanoTime() + SLICE.toNanos();
                    while (steps.next()) {
                        if (Thread.interrupted()) {
                            throw new InterruptedException();
                        }
                        if (System.nanoTime() - end > 0) {
                            return true;
                        }
                    }
                    return false;
                });
    }

    /// How many threads compute now.
    public long busy() {
        return turns.inUse();
    }

    /// How many wait for a turn.
    public int waiting() {
        return turns.waiting();
    }

    /// A turn is given back only when its work has ended, also when it was interrupted.
    private static final class Slice<T> extends FutureTask<T> {
        private final CountDownLatch left = new CountDownLatch(1);

        Slice(Callable<T> work) {
            super(work);
        }

        @Override
        public void run() {
            try {
                super.run();
            } finally {
                // An interrupt meant for this work must not reach the next.
                Thread.interrupted();
                left.countDown();
            }
        }

        /// @param <X> what the work throws, beside what needs no declaration
        @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
        <X extends Exception> T await() throws X, InterruptedException {
            try {
                return get();
            } catch (InterruptedException cancelled) {
                cancel(true);
                awaitLeft();
                throw cancelled;
            } catch (ExecutionException failed) {
                switch (failed.getCause()) {
                    case Error error -> throw error;
                    case InterruptedException interrupted -> throw interrupted;
                    case Exception thrown -> throw (X) thrown;
                    case null, default -> throw new IllegalStateException(failed);
                }
            }
        }

        private void awaitLeft() {
            boolean again = false;
            while (true) {
                try {
                    left.await();
                    break;
                } catch (InterruptedException impatient) {
                    again = true;
                }
            }
            if (again) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}

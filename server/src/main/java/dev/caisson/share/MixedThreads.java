package dev.caisson.share;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// Mixed threads, for work that mostly waits: platform threads for as much of it as there is at
/// once on most servers, virtual threads for all beyond. A virtual thread that parks, or touches a
/// file, wakes others to carry its kin, which costs several times what a platform thread costs; of
/// virtual threads there may be thousands.
public final class MixedThreads implements Executor {
    /// So many platform threads at once.
    static final int PLATFORM_MAX = 64;

    private static final Duration IDLE = Duration.ofSeconds(30);

    private final ExecutorService beyond;
    private final ExecutorService threads;

    /// @param name what the names of all threads begin with
    public MixedThreads(String name) {
        beyond = Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name(name, 0).factory());
        threads =
                new ThreadPoolExecutor(
                        0,
                        PLATFORM_MAX,
                        IDLE.toMillis(),
                        TimeUnit.MILLISECONDS,
                        new SynchronousQueue<>(),
                        Thread.ofPlatform().name(name, 0).daemon().factory(),
                        (task, _) -> beyond.execute(task));
    }

    /// @throws java.util.concurrent.RejectedExecutionException after [#shutdownNow]
    @Override
    public void execute(Runnable task) {
        threads.execute(task);
    }

    /// Begins a task that can be interrupted from now on.
    public Started start(Runnable task) {
        var started = new Started(task);
        execute(started);
        return started;
    }

    /// A task that is begun on the thread that calls, by calling it, and can be interrupted as one
    /// that was started can.
    public static Started here(Runnable task) {
        return new Started(task);
    }

    /// A task, wherever it runs.
    public static final class Started implements Runnable {
        private final Runnable task;
        private State state = State.INTENDED;
        private Thread thread = Thread.currentThread();

        private enum State {
            INTENDED,
            /// Before it began.
            INTERRUPTED,
            RUNNING,
            OVER
        }

        private Started(Runnable task) {
            this.task = task;
        }

        @Override
        public void run() {
            begin();
            try {
                task.run();
            } finally {
                end();
            }
        }

        private synchronized void begin() {
            thread = Thread.currentThread();
            if (state == State.INTERRUPTED) {
                thread.interrupt();
            }
            state = State.RUNNING;
        }

        /// The thread may do something else next.
        private synchronized void end() {
            state = State.OVER;
            var _ = Thread.interrupted();
        }

        /// Interrupts the thread it runs on, also before it runs on one, and not after.
        public synchronized void interrupt() {
            switch (state) {
                case INTENDED -> state = State.INTERRUPTED;
                case RUNNING -> thread.interrupt();
                case INTERRUPTED, OVER -> {}
            }
        }
    }

    /// Interrupts everything, and begins nothing more.
    public void shutdownNow() {
        threads.shutdownNow();
        beyond.shutdownNow();
    }

    /// @return false when the time is over first
    public boolean awaitEnd(Duration atMost) throws InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        return threads.awaitTermination(atMost.toNanos(), TimeUnit.NANOSECONDS)
                && beyond.awaitTermination(end - System.nanoTime(), TimeUnit.NANOSECONDS);
    }
}

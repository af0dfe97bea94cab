package dev.caisson;

import dev.caisson.call.BoundedClose;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Scheduler of periodic chores: runs them one after another until it is closed. A chore that fails
/// is tried again in the next round.
final class Housekeeping implements BoundedClose {
    private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);

    private final List<Chore> chores;
    private final Thread thread;

    /// What is done, and what came of it.
    ///
    /// @param enforces the keys of the configuration that hold because of it
    record Chore(String name, List<String> enforces, Work work) {
        Chore(String name, Work work) {
            this(name, List.of(), work);
        }

        @FunctionalInterface
        interface Work {
            /// @return how many things were removed
            int run() throws InterruptedException;
        }
    }

    /// @param first how long to wait before the first round, for a start has enough to do
    /// @param every how long to wait between two rounds
    Housekeeping(List<Chore> chores, Duration first, Duration every) {
        this.chores = List.copyOf(chores);
        this.thread = Thread.ofVirtual().name("housekeeping").start(() -> repeat(first, every));
    }

    private void repeat(Duration first, Duration every) {
        try {
            for (var wait = first; ; wait = every) {
                Thread.sleep(wait);
                for (var chore : chores) {
                    run(chore);
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static void run(Chore chore) throws InterruptedException {
        try {
            var count = chore.work().run();
            if (count > 0) {
                LOG.info("removed {} {}", count, chore.name());
            }
        } catch (RuntimeException failure) {
            LOG.warn("the chore failed: {}", chore.name(), failure);
        }
    }

    /// Waits for what is under way.
    @Override
    public void close(Duration atMost) {
        thread.interrupt();
        try {
            if (!thread.join(atMost)) {
                LOG.warn("a chore is still under way");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}

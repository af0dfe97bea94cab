package dev.caisson;

import dev.caisson.call.BoundedClose;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Stop plan: closes what was opened in the order of [StopStep], all of it, also when something
/// fails, and within [StopStep#whole].
///
/// A step is told its limit. One that is still at work after that goes on for as long as every
/// later step keeps its own time; then it is left behind. Nothing acknowledged is lost by that.
final class StopPlan implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StopPlan.class);

    private final Map<StopStep, Deque<BoundedClose>> closings = new EnumMap<>(StopStep.class);

    /// What is added last to a step is closed first.
    synchronized void add(StopStep step, BoundedClose closing) {
        closings.computeIfAbsent(step, _ -> new ArrayDeque<>()).push(closing);
    }

    /// For what waits for nobody.
    void addQuick(StopStep step, Runnable closing) {
        add(step, _ -> closing.run());
    }

    /// A second call finds nothing to close.
    @Override
    public void close() {
        long end = System.nanoTime() + StopStep.whole().toNanos();
        var later = StopStep.whole();
        RuntimeException first = null;
        for (var step : StopStep.values()) {
            later = later.minus(step.limit());
            for (var closing = next(step); closing != null; closing = next(step)) {
                var work = new Work(step, closing);
                work.await(end - later.toNanos());
                if (first == null) {
                    first = work.failure;
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }

    private synchronized @Nullable BoundedClose next(StopStep step) {
        var left = closings.get(step);
        return left == null ? null : left.poll();
    }

    /// One closing, on a thread of its own, so that it can be left behind.
    private static final class Work {
        private final StopStep step;
        private final Thread thread;
        private volatile @Nullable RuntimeException failure;

        Work(StopStep step, BoundedClose closing) {
            this.step = step;
            this.thread =
                    Thread.ofPlatform().daemon().name("stop-" + step).start(() -> run(closing));
        }

        private void run(BoundedClose closing) {
            try {
                closing.close(step.limit());
            } catch (RuntimeException failed) {
                LOG.warn("stop: cannot {}", step.what(), failed);
                failure = failed;
            }
        }

        /// @param end in nanoseconds of [System#nanoTime]
        private void await(long end) {
            var interrupted = false;
            for (var left = end - System.nanoTime();
                    thread.isAlive() && left > 0;
                    left = end - System.nanoTime()) {
                try {
                    thread.join(Duration.ofNanos(left));
                } catch (InterruptedException _) {
                    interrupted = true;
                }
            }
            if (thread.isAlive()) {
                LOG.warn("stop: the time to {} is over", step.what());
                thread.interrupt();
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}

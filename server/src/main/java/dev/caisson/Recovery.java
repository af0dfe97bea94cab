package dev.caisson;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Recovery after servers that died: settles what they had under way, in the order of
/// [RecoveryStep]. At a start each step is waited for no longer than its limit, afterwards all that
/// were done then are repeated as a chore.
final class Recovery {
    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

    private final Map<RecoveryStep, IntSupplier> steps = new EnumMap<>(RecoveryStep.class);

    /// Does a step now, and with every repetition. What it throws within its limit is thrown here.
    ///
    /// @param work says how many things it settled
    void begin(RecoveryStep step, IntSupplier work) {
        var alone = alone(work);
        synchronized (steps) {
            for (var done : steps.keySet()) {
                if (done.compareTo(step) >= 0) {
                    throw new IllegalStateException(step + " comes before " + done);
                }
            }
            steps.put(step, alone);
        }
        var settling = new FutureTask<>(alone::getAsInt);
        Thread.ofVirtual().name("recovery").start(settling);
        try {
            var settled = settling.get(step.limit().toMillis(), TimeUnit.MILLISECONDS);
            if (settled > 0) {
                LOG.info("recovery: {}: {}", step.what(), settled);
            }
        } catch (TimeoutException _) {
            LOG.warn("recovery: the server starts, but has still to {}", step.what());
        } catch (ExecutionException failure) {
            switch (failure.getCause()) {
                case RuntimeException ours -> throw ours;
                case Error ours -> throw ours;
                case null, default -> throw new IllegalStateException(step.what(), failure);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// Work that is not begun again while it is still being done.
    private static IntSupplier alone(IntSupplier work) {
        var busy = new ReentrantLock();
        return () -> {
            if (!busy.tryLock()) {
                return 0;
            }
            try {
                return work.getAsInt();
            } finally {
                busy.unlock();
            }
        };
    }

    /// Does all steps again.
    ///
    /// @return how many things were settled
    int repeat() {
        Map<RecoveryStep, IntSupplier> all;
        synchronized (steps) {
            all = new EnumMap<>(steps);
        }
        return all.entrySet().stream()
                .mapToInt(step -> again(step.getKey(), step.getValue()))
                .sum();
    }

    /// A step that fails keeps none of the later ones from being done.
    private static int again(RecoveryStep step, IntSupplier work) {
        try {
            return work.getAsInt();
        } catch (RuntimeException failed) {
            LOG.warn("recovery: cannot {}", step.what(), failed);
            return 0;
        }
    }
}

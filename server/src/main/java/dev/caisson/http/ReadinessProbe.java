package dev.caisson.http;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// Readiness probe: runs one check at a time and never waits long for it. While it runs, its result
/// is shared by all who ask; when it takes longer than a moment they get the previous one. A check
/// that has not ended for a while counts as failed.
final class ReadinessProbe {
    static final Duration SOON = Duration.ofMillis(100);
    static final Duration STUCK = Duration.ofSeconds(10);

    private final BooleanSupplier question;
    private final Executor threads;
    private CompletableFuture<Boolean> answer = CompletableFuture.completedFuture(false);
    private boolean last;
    private long askedAt;

    ReadinessProbe(BooleanSupplier question, Executor threads) {
        this.question = question;
        this.threads = threads;
    }

    synchronized CompletableFuture<Boolean> ask() {
        if (answer.isDone()) {
            askedAt = System.nanoTime();
            answer =
                    CompletableFuture.supplyAsync(question::getAsBoolean, threads)
                            .exceptionally(_ -> false)
                            .thenApply(this::remembered);
        }
        return answer.copy().completeOnTimeout(known(), SOON.toNanos(), TimeUnit.NANOSECONDS);
    }

    private synchronized boolean remembered(boolean holds) {
        last = holds;
        return holds;
    }

    private boolean known() {
        return last && System.nanoTime() - askedAt < STUCK.toNanos();
    }
}

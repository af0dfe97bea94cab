package dev.caisson.sandbox;

import dev.caisson.call.Refusal;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// What one waits for in [Admission]: it comes, or it is refused, once.
final class Turn {
    private final CompletableFuture<Boolean> came = new CompletableFuture<>();

    void come() {
        came.complete(true);
    }

    void refuse(Refusal why) {
        came.completeExceptionally(why);
    }

    boolean isRefused() {
        return came.isCompletedExceptionally();
    }

    /// @return false when the time was over first
    /// @throws Refusal when it was refused
    boolean await(Duration atMost) throws InterruptedException {
        try {
            return came.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            return false;
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof Refusal refusal) {
                throw refusal;
            }
            throw new IllegalStateException(failed);
        }
    }
}

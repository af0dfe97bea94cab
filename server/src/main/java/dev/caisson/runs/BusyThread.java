package dev.caisson.runs;

import dev.caisson.call.Refusal;
import dev.caisson.call.Remedy;
import java.time.Duration;
import java.util.Optional;

/// Refusal of a run whose thread is in use, with what the caller can do about it.
final class BusyThread {
    private BusyThread() {}

    /// @param busy names the execution that uses the thread, which is the same caller's
    /// @param patience empty where the caller cannot ask to wait
    static Refusal advised(Refusal busy, Optional<Duration> patience) {
        return new Refusal(
                busy.reason(),
                busy.sentence() + waiting(busy) + elsewhere(patience),
                busy.details());
    }

    private static String waiting(Refusal busy) {
        return busy.executionId()
                .map(_ ->
                        " %s waits for it, %s ends it."
                                .formatted(
                                        Remedy.WAIT_FOR_EXECUTION.word(),
                                        Remedy.CANCEL_EXECUTION.word()))
                .orElse("");
    }

    private static String elsewhere(Optional<Duration> patience) {
        return patience.isPresent()
                ? " Or ask to wait with "
                        + Remedy.WAIT_FOR_THREAD.word()
                        + ", or use another thread."
                : " Or use another thread.";
    }
}

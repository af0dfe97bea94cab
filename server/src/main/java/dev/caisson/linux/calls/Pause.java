package dev.caisson.linux.calls;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/// Polling with growing pauses, for what the kernel does not tell by itself. Unlike a blocking call
/// it lets a virtual thread's carrier go, and it can be interrupted.
public final class Pause {
    private static final Duration FIRST = Duration.ofNanos(300_000);
    private static final Duration LONGEST = Duration.ofMillis(10);

    private Pause() {}

    /// @return false when the time was over first
    public static boolean until(BooleanSupplier done, Duration atMost) throws InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        var pause = FIRST;
        while (!done.getAsBoolean()) {
            if (System.nanoTime() - end >= 0) {
                return false;
            }
            Thread.sleep(pause);
            pause = pause.multipliedBy(2).compareTo(LONGEST) < 0 ? pause.multipliedBy(2) : LONGEST;
        }
        return true;
    }
}

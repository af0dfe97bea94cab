package dev.caisson.call;

import java.time.Duration;

/// Deadline of one piece of work, by the monotonic clock: nothing that happens meanwhile moves it.
///
/// @param atNanos in the time of [System#nanoTime]
public record Deadline(long atNanos) {
    public static Deadline in(Duration time) {
        return new Deadline(System.nanoTime() + time.toNanos());
    }

    /// The time that is left; zero when it is over.
    public Duration left() {
        return Duration.ofNanos(Math.max(0, atNanos - System.nanoTime()));
    }

    public boolean isOver() {
        return atNanos - System.nanoTime() <= 0;
    }

    /// This one, or one so much later than now, whichever comes first.
    public Deadline orIn(Duration time) {
        return left().compareTo(time) <= 0 ? this : in(time);
    }
}

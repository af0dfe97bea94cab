package dev.caisson.profiles;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/// Quota of a key. Each is counted in periods of the clock in UTC: from one full minute, or one
/// midnight, to the next.
public enum Quota {
    /// Runs that were begun, also in sessions. A run that is refused before its program starts does
    /// not count.
    RUNS_PER_MINUTE(Duration.ofMinutes(1)),

    /// CPU time of programs, counted in milliseconds when each ends. A run under way is not ended
    /// by it: the next one is refused.
    CPU_SECONDS_PER_DAY(Duration.ofDays(1)),

    /// Bytes of stdout and stderr of runs that are kept, of files that runs made or changed in
    /// threads, each with its whole size after the run, and of uploads to threads and volumes. A
    /// run under way is not ended by it.
    BYTES_PER_DAY(Duration.ofDays(1));

    private final Duration period;

    Quota(Duration period) {
        this.period = period;
    }

    /// As clients read it, such as `runs_per_minute`.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// When the period began that a moment is in.
    long periodOf(Instant moment) {
        long length = period.toMillis();
        return Math.floorDiv(moment.toEpochMilli(), length) * length;
    }

    /// When the next period begins.
    Instant free(Instant moment) {
        return Instant.ofEpochMilli(periodOf(moment)).plus(period);
    }

    /// What is counted, for people.
    ///
    /// @param limit in the unit in which it is counted
    String words(long limit) {
        return switch (this) {
            case RUNS_PER_MINUTE -> limit + " runs per minute";
            case CPU_SECONDS_PER_DAY -> limit / 1000 + " seconds of CPU time per day";
            case BYTES_PER_DAY -> limit + " bytes per day";
        };
    }
}

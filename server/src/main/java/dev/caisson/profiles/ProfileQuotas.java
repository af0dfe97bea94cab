package dev.caisson.profiles;

import dev.caisson.json.Describe;
import dev.caisson.json.Range;
import java.util.Optional;

/// Quotas of each key of a profile. There is no limit where a member is absent. See [Quota] for
/// what is counted.
public record ProfileQuotas(
        @Describe("Runs that a key may begin in a minute of the clock.")
                @Range(min = 1, max = RUNS_MAX)
                Optional<Long> runsPerMinute,
        @Describe("CPU time that the runs of a key may use in a day (UTC).")
                @Range(min = 1, max = CPU_SECONDS_MAX)
                Optional<Long> cpuSecondsPerDay,
        @Describe(
                        "Bytes that a key may add in a day (UTC): output of its runs, files they leave in"
                                + " threads, and uploads.")
                @Range(min = 1, max = BYTES_MAX)
                Optional<Long> bytesPerDay) {
    static final long RUNS_MAX = 1_000_000;
    static final long CPU_SECONDS_MAX = 1_000_000_000;
    static final long BYTES_MAX = 1L << 50;

    public static final ProfileQuotas NONE =
            new ProfileQuotas(Optional.empty(), Optional.empty(), Optional.empty());

    /// In the unit in which it is counted.
    Optional<Long> limit(Quota quota) {
        return switch (quota) {
            case RUNS_PER_MINUTE -> runsPerMinute;
            case CPU_SECONDS_PER_DAY -> cpuSecondsPerDay.map(seconds -> seconds * 1000);
            case BYTES_PER_DAY -> bytesPerDay;
        };
    }
}

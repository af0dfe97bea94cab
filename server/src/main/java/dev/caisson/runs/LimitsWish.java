package dev.caisson.runs;

import dev.caisson.json.Describe;
import dev.caisson.json.Range;
import java.util.Optional;

/// Limits that a caller asks for, in place of the usual ones of its profile.
public record LimitsWish(
        @Describe("Memory in MiB, /tmp included.") @Range(min = 16) Optional<Integer> memoryMib,
        @Describe("Cores' worth of time.") @Range(min = 0.01) Optional<Double> cpus,
        @Describe("Processes and threads at once.") @Range(min = 4) Optional<Integer> processes) {
    public static final LimitsWish NONE =
            new LimitsWish(Optional.empty(), Optional.empty(), Optional.empty());

    Optional<Long> memoryBytes() {
        return memoryMib.map(mib -> (long) mib << 20);
    }
}

package dev.caisson.profiles;

import dev.caisson.json.Describe;
import dev.caisson.json.Range;
import java.util.Optional;

/// Limits of the runs of a profile: what a run has that asks for nothing, and the most it may ask
/// for. A member that is absent follows from the server's own settings, and a maximum of memory,
/// cores or processes from the limit beside it.
public record ProfileLimits(
        @Describe("How long a run may take that does not say; sandbox.wall_default when absent.")
                @Range(min = 1, max = SECONDS_MAX)
                Optional<Long> timeoutSeconds,
        @Describe("The longest time a run may ask for; sandbox.wall_max when absent.")
                @Range(min = 1, max = SECONDS_MAX)
                Optional<Long> timeoutSecondsMax,
        @Describe("Memory of a run, its /tmp included; sandbox.memory_bytes when absent.")
                @Range(min = MEMORY_MIN, max = MEMORY_MAX)
                Optional<Long> memoryBytes,
        @Describe("The most memory a run may ask for; what every run has when absent.")
                @Range(min = MEMORY_MIN, max = MEMORY_MAX)
                Optional<Long> memoryBytesMax,
        @Describe("Cores' worth of time of a run; sandbox.cpus when absent.")
                @Range(min = CPUS_MIN, max = CPUS_MAX)
                Optional<Double> cpus,
        @Describe("The most a run may ask for; what every run has when absent.")
                @Range(min = CPUS_MIN, max = CPUS_MAX)
                Optional<Double> cpusMax,
        @Describe("Processes and threads of a run at once; sandbox.processes when absent.")
                @Range(min = PROCESSES_MIN, max = PROCESSES_MAX)
                Optional<Integer> processes,
        @Describe("The most a run may ask for; what every run has when absent.")
                @Range(min = PROCESSES_MIN, max = PROCESSES_MAX)
                Optional<Integer> processesMax) {
    static final long SECONDS_MAX = 86_400;
    static final long MEMORY_MIN = 16L << 20;
    static final long MEMORY_MAX = 1L << 40;
    static final double CPUS_MIN = 0.01;
    static final double CPUS_MAX = 1024;
    static final int PROCESSES_MIN = 4;
    static final int PROCESSES_MAX = 100_000;

    public static final ProfileLimits NONE =
            new ProfileLimits(
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
}

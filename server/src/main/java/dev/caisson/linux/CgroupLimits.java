package dev.caisson.linux;

/// Limits of a control group: what its processes may use together.
///
/// @param memoryBytes swap cannot add to it, and files in memory count
/// @param cpus cores' worth of time; 0.5 is half a core
/// @param processes and threads at once
public record CgroupLimits(long memoryBytes, double cpus, int processes) {
    /// The kernel takes no quota under a millisecond in a tenth of a second.
    private static final double CPUS_MIN = 0.01;

    public CgroupLimits {
        if (memoryBytes < 1 << 20) {
            throw new IllegalArgumentException("a group needs at least 1 MiB of memory");
        }
        if (!(cpus >= CPUS_MIN)) {
            throw new IllegalArgumentException("a group needs at least " + CPUS_MIN + " cpus");
        }
        if (processes < 1) {
            throw new IllegalArgumentException("a group needs at least one process");
        }
    }
}

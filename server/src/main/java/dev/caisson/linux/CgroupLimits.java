package dev.caisson.linux;

/// What a group of processes may use together.
///
/// @param memoryBytes swap cannot add to it, and files in memory count
/// @param cpus cores' worth of time; 0.5 is half a core
/// @param processes and threads at once
/// @param share of the processor when there is not enough for all, against [#USUAL_SHARE]
public record CgroupLimits(long memoryBytes, double cpus, int processes, int share) {
    public static final int USUAL_SHARE = 100;

    private static final int SMALL_SHARE = 10;

    /// The kernel takes no quota under a millisecond in a tenth of a second.
    private static final double CPUS_MIN = 0.01;

    public CgroupLimits(long memoryBytes, double cpus, int processes) {
        this(memoryBytes, cpus, processes, USUAL_SHARE);
    }

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

    /// For a group whose work can wait for that of others.
    public CgroupLimits yielding() {
        return new CgroupLimits(memoryBytes, cpus, processes, SMALL_SHARE);
    }
}

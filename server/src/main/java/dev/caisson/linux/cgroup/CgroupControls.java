package dev.caisson.linux.cgroup;

import dev.caisson.linux.CgroupLimits;
import java.util.Optional;
import java.util.function.Function;

/// Control files of one group, by which it is limited and measured: [CgroupControlsV1] or
/// [CgroupControlsV2].
interface CgroupControls extends AutoCloseable {
    /// A tenth of a second: how long a quota of processor time lasts.
    long PERIOD_MICROS = 100_000;

    /// Writes limits and reads them back.
    ///
    /// @param before those in force, which are not written again; empty for a new group
    void apply(CgroupLimits limits, Optional<CgroupLimits> before);

    /// What this group weighs against its siblings when processors, or the disk where the kernel
    /// divides it, are short.
    ///
    /// @param weight from 1 to [CgroupGroup#WEIGHT_MAX]
    void weigh(int weight);

    /// Limits the memory and the processes of all groups below this one together.
    void limitTogether(long memoryBytes, int processes);

    /// Whether a limit must be written.
    static <T> boolean differs(
            CgroupLimits limits, Optional<CgroupLimits> before, Function<CgroupLimits, T> limit) {
        return before.map(limit).filter(limit.apply(limits)::equals).isEmpty();
    }

    /// New ones of this group, to be closed by whoever asks.
    CgroupCounters counters();

    /// Lets go of what is held; the group is about to be removed.
    @Override
    void close();

    static String quotaMicros(CgroupLimits limits) {
        return Long.toString(Math.round(limits.cpus() * PERIOD_MICROS));
    }
}

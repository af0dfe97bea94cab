package dev.caisson.linux.cgroup;

import dev.caisson.linux.calls.HeldCounter;
import java.time.Duration;

/// Counters of one group, each held from its first use until the group is removed.
///
/// @param oomKills how many processes were killed because of the memory limit
/// @param memory in use now
/// @param cpu processor time
/// @param cpuUnitNanos what it is counted in
/// @param forksRefused how often a process or thread could not be made because of the limit
record CgroupCounters(
        HeldCounter oomKills,
        HeldCounter memoryPeak,
        HeldCounter memory,
        HeldCounter cpu,
        long cpuUnitNanos,
        HeldCounter forksRefused)
        implements AutoCloseable {
    Duration cpuTime() {
        return Duration.ofNanos(cpuUnitNanos * cpu.value());
    }

    /// Tells from now on only what is counted from now on.
    ///
    /// @throws java.io.UncheckedIOException when this kernel cannot forget the most there was
    void restart() {
        oomKills.restart();
        memoryPeak.forget();
        cpu.restart();
        forksRefused.restart();
    }

    @Override
    public void close() {
        oomKills.close();
        memoryPeak.close();
        memory.close();
        cpu.close();
        forksRefused.close();
    }
}

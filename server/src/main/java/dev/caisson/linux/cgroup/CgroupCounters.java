package dev.caisson.linux.cgroup;

import dev.caisson.linux.calls.HeldCounter;
import java.time.Duration;
import java.util.Optional;

/// Counters of one group, each held from its first use until the group is removed.
///
/// @param oomKills how many processes were killed because of the memory limit
/// @param memory in use now
/// @param cpu processor time
/// @param cpuUnitNanos what it is counted in
/// @param forksRefused how often a process or thread could not be made because of the limit
/// @param tasks threads of all processes in here, the dead ones included that were not reaped
record CgroupCounters(
        HeldCounter oomKills,
        HeldCounter memoryPeak,
        HeldCounter memory,
        HeldCounter cpu,
        long cpuUnitNanos,
        HeldCounter forksRefused,
        Optional<HeldCounter> tasks)
        implements AutoCloseable {
    Duration cpuTime() {
        return Duration.ofNanos(cpuUnitNanos * cpu.value());
    }

    /// Whether the kernel counts nobody in here; when it counts nothing, false.
    boolean countNobody() {
        return tasks.filter(counter -> counter.value() == 0).isPresent();
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
        tasks.ifPresent(HeldCounter::close);
    }
}

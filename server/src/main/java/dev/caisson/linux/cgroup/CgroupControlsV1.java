package dev.caisson.linux.cgroup;

import dev.caisson.linux.CgroupLimits;
import dev.caisson.linux.calls.HeldCounter;
import dev.caisson.linux.calls.KernelFiles;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Control files of version 1: each controller has a tree of its own. What is not mounted is not
/// limited.
final class CgroupControlsV1 implements CgroupControls {
    /// What one task weighs. A group's weight is divided by the processors its tasks are on, and a
    /// thread beside it has all of its own on one: so all groups together weigh this much on each
    /// processor.
    private static final int USUAL_SHARES = 1_024;

    private static final int SHARES_MIN = 2;

    /// There only where the kernel divides the disk between groups.
    private static final String BFQ_WEIGHT = "blkio.bfq.weight";

    /// A whole weight is 10,000, and this file takes at most 1,000: all are divided, so that they
    /// keep their proportions.
    private static final int BFQ_WEIGHT_DIVISOR = 10;

    private final Map<String, Path> directories;
    private final Optional<MemoryLimitV1> memory;

    /// @param directories of one group, by controller
    CgroupControlsV1(Map<String, Path> directories) {
        this.directories = Map.copyOf(directories);
        this.memory = in("memory").map(MemoryLimitV1::new);
    }

    @Override
    public void apply(CgroupLimits limits, Optional<CgroupLimits> before) {
        if (CgroupControls.differs(limits, before, CgroupLimits::memoryBytes)) {
            memory.ifPresent(limit -> limitMemory(limit, limits.memoryBytes(), before));
        }
        if (CgroupControls.differs(limits, before, CgroupLimits::processes)) {
            in("pids").ifPresent(pids -> limitProcesses(pids, limits.processes()));
        }
        if (CgroupControls.differs(limits, before, CgroupLimits::cpus)) {
            in("cpu").ifPresent(cpu -> limitCpu(cpu, limits));
        }
    }

    private static void limitMemory(
            MemoryLimitV1 limit, long bytes, Optional<CgroupLimits> before) {
        if (before.isPresent()) {
            limit.change(before.get().memoryBytes(), bytes);
        } else {
            limit.set(bytes);
        }
    }

    private static void limitProcesses(Path pids, int processes) {
        KernelFiles.writeVerified(pids.resolve("pids.max"), Integer.toString(processes));
    }

    private static void limitCpu(Path cpu, CgroupLimits limits) {
        KernelFiles.writeVerified(cpu.resolve("cpu.cfs_period_us"), Long.toString(PERIOD_MICROS));
        KernelFiles.writeVerified(
                cpu.resolve("cpu.cfs_quota_us"), CgroupControls.quotaMicros(limits));
    }

    @Override
    public void weigh(int weight) {
        in("cpu")
                .ifPresent(cpu ->
                        KernelFiles.write(
                                cpu.resolve("cpu.shares"),
                                Integer.toString(Math.max(SHARES_MIN, weight))));
        in("blkio")
                .ifPresent(disk ->
                        KernelFiles.writeIfPresent(
                                disk.resolve(BFQ_WEIGHT),
                                Integer.toString(Math.max(1, weight / BFQ_WEIGHT_DIVISOR))));
    }

    @Override
    public void limitTogether(long memoryBytes, int processes) {
        in("pids").ifPresent(pids -> limitProcesses(pids, processes));
        in("memory").ifPresent(each -> MemoryLimitV1.limitWithSwap(each, memoryBytes));
        in("cpu")
                .ifPresent(cpu ->
                        KernelFiles.write(
                                cpu.resolve("cpu.shares"),
                                Integer.toString(
                                        USUAL_SHARES
                                                * Runtime.getRuntime().availableProcessors())));
    }

    @Override
    public CgroupCounters counters() {
        return new CgroupCounters(
                HeldCounter.keyed(file("memory", "memory.oom_control"), "oom_kill"),
                HeldCounter.number(file("memory", "memory.max_usage_in_bytes")),
                HeldCounter.number(file("memory", "memory.usage_in_bytes")),
                HeldCounter.number(file("cpuacct", "cpuacct.usage")),
                1,
                HeldCounter.keyed(file("pids", "pids.events"), "max"),
                in("pids").map(_ -> HeldCounter.number(file("pids", "pids.current"))));
    }

    private List<Path> file(String controller, String name) {
        return in(controller).map(directory -> directory.resolve(name)).stream().toList();
    }

    @Override
    public void close() {
        memory.ifPresent(MemoryLimitV1::close);
    }

    private Optional<Path> in(String controller) {
        return Optional.ofNullable(directories.get(controller));
    }
}

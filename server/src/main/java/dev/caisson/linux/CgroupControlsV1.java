package dev.caisson.linux;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/// Version 1: each controller has a tree of its own. What is not mounted is not limited.
///
/// @param directories of one group, by controller
record CgroupControlsV1(Map<String, Path> directories) implements CgroupControls {
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

    private static final long NETWORK_BUFFERS_MAX = 32L << 20;

    CgroupControlsV1 {
        directories = Map.copyOf(directories);
    }

    @Override
    public void apply(CgroupLimits limits, Optional<CgroupLimits> before) {
        if (CgroupControls.differs(limits, before, CgroupLimits::memoryBytes)) {
            in("memory").ifPresent(memory -> limitMemory(memory, limits.memoryBytes()));
        }
        if (CgroupControls.differs(limits, before, CgroupLimits::processes)) {
            in("pids").ifPresent(pids -> limitProcesses(pids, limits.processes()));
        }
        if (CgroupControls.differs(limits, before, CgroupLimits::cpus)) {
            in("cpu").ifPresent(cpu -> limitCpu(cpu, limits));
        }
    }

    /// Memory alone may never be above memory and swap together, so the order depends on the
    /// direction.
    private static void limitMemory(Path memory, long bytes) {
        limitWithSwap(memory, bytes);
        KernelFiles.writeIfPresent(memory.resolve("memory.swappiness"), "0");
        KernelFiles.writeIfPresent(
                memory.resolve("memory.kmem.tcp.limit_in_bytes"),
                Long.toString(Math.min(bytes, NETWORK_BUFFERS_MAX)));
    }

    private static void limitWithSwap(Path memory, long bytes) {
        var alone = memory.resolve("memory.limit_in_bytes");
        var withSwap = memory.resolve("memory.memsw.limit_in_bytes");
        if (Files.exists(withSwap) && KernelFiles.number(withSwap) < bytes) {
            KernelFiles.writeBytesVerified(withSwap, bytes);
        }
        KernelFiles.writeBytesVerified(alone, bytes);
        if (Files.exists(withSwap)) {
            KernelFiles.writeBytesVerified(withSwap, bytes);
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
        in("memory").ifPresent(memory -> limitWithSwap(memory, memoryBytes));
        in("cpu")
                .ifPresent(cpu ->
                        KernelFiles.write(
                                cpu.resolve("cpu.shares"),
                                Integer.toString(
                                        USUAL_SHARES
                                                * Runtime.getRuntime().availableProcessors())));
    }

    @Override
    public long oomKills() {
        return measure(
                "memory", dir -> KernelFiles.keyed(dir.resolve("memory.oom_control"), "oom_kill"));
    }

    @Override
    public long memoryPeakBytes() {
        return measure(
                "memory", dir -> KernelFiles.number(dir.resolve("memory.max_usage_in_bytes")));
    }

    @Override
    public Duration cpuTime() {
        return Duration.ofNanos(
                measure("cpuacct", dir -> KernelFiles.number(dir.resolve("cpuacct.usage"))));
    }

    @Override
    public long forksRefused() {
        return measure("pids", dir -> KernelFiles.keyed(dir.resolve("pids.events"), "max"));
    }

    private long measure(String controller, ToLongFunction<Path> from) {
        return in(controller).map(from::applyAsLong).orElse(0L);
    }

    private Optional<Path> in(String controller) {
        return Optional.ofNullable(directories.get(controller));
    }
}

package dev.caisson.linux;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// Version 2: one directory has it all. A controller that is not enabled has no files, and does not
/// limit.
record CgroupControlsV2(Path directory) implements CgroupControls {
    @Override
    public void apply(CgroupLimits limits, Optional<CgroupLimits> before) {
        if (CgroupControls.differs(limits, before, CgroupLimits::memoryBytes)
                && has("memory.max")) {
            KernelFiles.writeBytesVerified(file("memory.max"), limits.memoryBytes());
            KernelFiles.writeIfPresent(file("memory.swap.max"), "0");
        }
        if (CgroupControls.differs(limits, before, CgroupLimits::processes) && has("pids.max")) {
            KernelFiles.writeVerified(file("pids.max"), Integer.toString(limits.processes()));
        }
        if (CgroupControls.differs(limits, before, CgroupLimits::cpus) && has("cpu.max")) {
            KernelFiles.writeVerified(
                    file("cpu.max"), CgroupControls.quotaMicros(limits) + " " + PERIOD_MICROS);
        }
    }

    @Override
    public void weigh(int weight) {
        KernelFiles.writeIfPresent(file("cpu.weight"), Integer.toString(weight));
        KernelFiles.writeIfPresent(file("io.weight"), "default " + weight);
    }

    @Override
    public void limitTogether(long memoryBytes, int processes) {
        if (has("pids.max")) {
            KernelFiles.writeVerified(file("pids.max"), Integer.toString(processes));
        }
        if (has("memory.max")) {
            KernelFiles.writeBytesVerified(file("memory.max"), memoryBytes);
        }
    }

    @Override
    public long oomKills() {
        return KernelFiles.keyed(file("memory.events"), "oom_kill");
    }

    /// Kernels before 5.19 keep no peak: then it is what is used now.
    @Override
    public long memoryPeakBytes() {
        return KernelFiles.existing(file("memory.peak"))
                .or(() -> KernelFiles.existing(file("memory.current")))
                .map(KernelFiles::number)
                .orElse(0L);
    }

    @Override
    public Duration cpuTime() {
        return Duration.ofNanos(1_000 * KernelFiles.keyed(file("cpu.stat"), "usage_usec"));
    }

    @Override
    public long forksRefused() {
        return KernelFiles.keyed(file("pids.events"), "max");
    }

    private boolean has(String name) {
        return Files.exists(file(name));
    }

    private Path file(String name) {
        return directory.resolve(name);
    }
}

package dev.caisson.linux.cgroup;

import dev.caisson.linux.CgroupLimits;
import dev.caisson.linux.calls.HeldCounter;
import dev.caisson.linux.calls.HeldFile;
import dev.caisson.linux.calls.KernelFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Control files of version 2: one directory has it all. A controller that is not enabled has no
/// files, and does not limit.
final class CgroupControlsV2 implements CgroupControls {
    private final Path directory;
    private final HeldFile memory;

    CgroupControlsV2(Path directory) {
        this.directory = directory;
        this.memory = HeldFile.toReadAndWrite(directory.resolve("memory.max"));
    }

    @Override
    public void apply(CgroupLimits limits, Optional<CgroupLimits> before) {
        if (CgroupControls.differs(limits, before, CgroupLimits::memoryBytes)
                && has("memory.max")) {
            limitMemory(limits.memoryBytes(), before.isPresent());
        }
        if (CgroupControls.differs(limits, before, CgroupLimits::processes) && has("pids.max")) {
            KernelFiles.writeVerified(file("pids.max"), Integer.toString(limits.processes()));
        }
        if (CgroupControls.differs(limits, before, CgroupLimits::cpus) && has("cpu.max")) {
            KernelFiles.writeVerified(
                    file("cpu.max"), CgroupControls.quotaMicros(limits) + " " + PERIOD_MICROS);
        }
    }

    /// A limit that changes again and again, as that of a session does, is changed through a file
    /// that is held.
    private void limitMemory(long bytes, boolean again) {
        if (again) {
            memory.writeBytesVerified(bytes);
            return;
        }
        KernelFiles.writeBytesVerified(file("memory.max"), bytes);
        KernelFiles.writeIfPresent(file("memory.swap.max"), "0");
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

    /// Kernels before 5.19 keep no peak: then it is what is used now.
    @Override
    public CgroupCounters counters() {
        return new CgroupCounters(
                HeldCounter.keyed(List.of(file("memory.events")), "oom_kill"),
                HeldCounter.number(List.of(file("memory.peak"), file("memory.current"))),
                HeldCounter.number(List.of(file("memory.current"))),
                HeldCounter.keyed(List.of(file("cpu.stat")), "usage_usec"),
                1_000,
                HeldCounter.keyed(List.of(file("pids.events")), "max"),
                Optional.of(HeldCounter.number(List.of(file("pids.current"))))
                        .filter(_ -> has("pids.current")));
    }

    @Override
    public void close() {
        memory.close();
    }

    private boolean has(String name) {
        return Files.exists(file(name));
    }

    private Path file(String name) {
        return directory.resolve(name);
    }
}

package dev.caisson.sandbox.bubblewrap;

import dev.caisson.sandbox.Limits;
import java.util.Map;

/// Files that stand in for those of `/proc` by which programs learn how large the machine is: they
/// tell the limits of the run instead, and of the host only what its processor can do. They are
/// constant, so they tell nothing of what is in use either.
public final class LimitFiles {
    private static final long KIBIBYTE = 1024;

    private LimitFiles() {}

    /// The texts by the name of the file in `/proc`.
    public static Map<String, String> of(Limits limits) {
        return Map.of(
                "cpuinfo",
                ProcessorText.HOST.times(limits.threads()),
                "meminfo",
                memory(limits),
                "stat",
                processors(limits));
    }

    /// Whether they are the same for both.
    public static boolean areSame(Limits one, Limits other) {
        return one.threads() == other.threads() && one.memoryBytes() == other.memoryBytes();
    }

    /// `free` and `psutil` want these members.
    private static String memory(Limits limits) {
        long all = limits.memoryBytes() / KIBIBYTE;
        return """
        MemTotal:       %1$8d kB
        MemFree:        %1$8d kB
        MemAvailable:   %1$8d kB
        Buffers:               0 kB
        Cached:                0 kB
        SwapCached:            0 kB
        Active:                0 kB
        Inactive:              0 kB
        SwapTotal:             0 kB
        SwapFree:              0 kB
        Shmem:                 0 kB
        Slab:                  0 kB
        SReclaimable:          0 kB
        SUnreclaim:            0 kB
        """
                .formatted(all);
    }

    /// A line for each processor, which is how they are counted where there is no `/sys`.
    private static String processors(Limits limits) {
        var none = " 0".repeat(10) + "\n";
        var text = new StringBuilder("cpu ").append(none);
        for (int number = 0; number < limits.threads(); number++) {
            text.append("cpu").append(number).append(none);
        }
        return text.append("intr 0\nctxt 0\nbtime 0\nprocesses 1\n")
                .append("procs_running 1\nprocs_blocked 0\n")
                .toString();
    }
}

package dev.caisson.sandbox;

import dev.caisson.config.Defaults;
import dev.caisson.config.Fixed;
import dev.caisson.config.Key;
import dev.caisson.linux.ProcessTable;
import dev.caisson.share.ShareLimit;
import java.lang.management.ManagementFactory;

/// Share of the machine that sandboxes have, and how callers divide it.
///
/// @param part what one of them may have alone
/// @param memoryBytes that all sandboxes may have together, those of other servers of this machine
///   included; 0 means three fifths of the machine's
/// @param processes and threads that all sandboxes may have together, in the same way; 0 means half
///   of those the machine can have
public record Sharing(
        ShareLimit part,
        @Key(
                        name = "sandbox.memory_total_bytes",
                        initial = "0B",
                        min = "0B",
                        max = "64TiB",
                        doc =
                                "Memory of all sandboxes together, and the limit of their common"
                                        + " control group; with 0B it is three fifths of the machine's.")
                long memoryBytes,
        @Fixed("0") int processes) {
    /// Of the machine's memory; the server's own heap and everything else live in the rest.
    private static final double OF_MACHINE = 0.6;

    /// Of the processes and threads the kernel has numbers for.
    private static final int OF_PROCESS_TABLE = 2;

    public static final Sharing DEFAULT = Defaults.of(Sharing.class);

    public Sharing {
        memoryBytes = memoryBytes == 0 ? machineBytes() : memoryBytes;
        processes = processes == 0 ? ProcessTable.size() / OF_PROCESS_TABLE : processes;
        if (memoryBytes < 1) {
            throw new IllegalArgumentException("sandboxes need memory");
        }
        if (processes < 1) {
            throw new IllegalArgumentException("sandboxes need processes");
        }
    }

    /// With half of the processes this machine can have.
    public Sharing(ShareLimit part, long memoryBytes) {
        this(part, memoryBytes, 0);
    }

    /// With enough memory for one run, where the operator gave less: less would let nothing run.
    /// What follows from the machine is never raised.
    Sharing atLeast(long runBytes) {
        return memoryBytes == machineBytes()
                ? this
                : new Sharing(part, Math.max(memoryBytes, runBytes), processes);
    }

    /// Three fifths of the memory of this machine, or of the container it is.
    private static long machineBytes() {
        var system = ManagementFactory.getOperatingSystemMXBean();
        long all =
                system instanceof com.sun.management.OperatingSystemMXBean known
                        ? known.getTotalMemorySize()
                        : Runtime.getRuntime().maxMemory();
        return (long) (all * OF_MACHINE);
    }
}

package dev.caisson.sandbox;

import dev.caisson.linux.ProcessTable;
import dev.caisson.share.Part;
import java.lang.management.ManagementFactory;

/// How callers share the machine.
///
/// @param part what one of them may have alone
/// @param memoryBytes that all sandboxes may have together, those of other servers of this machine
///   included
/// @param processes and threads that all sandboxes may have together, in the same way
public record Sharing(Part part, long memoryBytes, int processes) {
    /// Of the machine's memory; the server's own heap and everything else live in the rest.
    private static final double OF_MACHINE = 0.6;

    /// Of the processes and threads the kernel has numbers for.
    private static final int OF_PROCESS_TABLE = 2;

    public static final Sharing DEFAULT = new Sharing(Part.DEFAULT, machineBytes());

    public Sharing {
        if (memoryBytes < 1 << 20) {
            throw new IllegalArgumentException("sandboxes need at least 1 MiB of memory");
        }
        if (processes < 1) {
            throw new IllegalArgumentException("sandboxes need processes");
        }
    }

    /// With half of the processes this machine can have.
    public Sharing(Part part, long memoryBytes) {
        this(part, memoryBytes, ProcessTable.size() / OF_PROCESS_TABLE);
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

package dev.caisson.linux;

import dev.caisson.linux.calls.Kernel;
import dev.caisson.linux.calls.NumberedCalls;
import java.lang.foreign.Arena;

/// Landlock of this kernel, by which a process gives up rights on files for itself and everything
/// it starts.
public final class Landlock {
    /// The first version under which files can still be moved from one directory to another.
    private static final int VERSION_LEAST = 2;

    private static final int ASK_VERSION = 1;

    private Landlock() {}

    /// Whether this kernel has it, switched on, in a version that is of use here.
    public static boolean isAvailable() {
        try (var arena = Arena.ofConfined()) {
            var kernel = new Kernel(arena);
            return kernel.syscallNow(NumberedCalls.LANDLOCK_CREATE_RULESET, 0, 0, ASK_VERSION, 0, 0)
                    >= VERSION_LEAST;
        }
    }
}

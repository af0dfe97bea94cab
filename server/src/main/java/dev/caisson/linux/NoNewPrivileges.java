package dev.caisson.linux;

import java.lang.foreign.Arena;
import java.util.Optional;

/// The promise of a process that nothing it starts has more privileges than itself.
public final class NoNewPrivileges {
    private static final int PR_GET_NO_NEW_PRIVS = 39;

    private NoNewPrivileges() {}

    /// Why it cannot be made here, and what to do about it.
    public static Optional<String> missing() {
        try (var arena = Arena.ofConfined()) {
            return new Kernel(arena).prctlNow(PR_GET_NO_NEW_PRIVS, 0) >= 0
                    ? Optional.empty()
                    : Optional.of("The kernel does not know no_new_privs: use Linux 3.5 or newer.");
        }
    }
}

package dev.caisson.sandbox.bubblewrap;

import dev.caisson.sandbox.Limits;
import java.util.List;

/// Limit on each process of a sandbox, which the process has from its start and cannot raise.
///
/// @param name as `prlimit` calls it
/// @param resource as the kernel numbers it
public record ProcessLimit(String name, int resource, long soft, long hard) {
    static List<ProcessLimit> of(Limits limits) {
        return List.of(
                same("core", 4, 0),
                same("nofile", 7, limits.openFiles()),
                same("fsize", 1, limits.fileBytes()),
                new ProcessLimit("stack", 3, 8L << 20, 64L << 20),
                same("memlock", 8, 65_536),
                same("msgqueue", 12, 819_200),
                same("rtprio", 14, 0),
                same("nice", 13, 0),
                same("sigpending", 11, 1_024));
    }

    private static ProcessLimit same(String name, int resource, long limit) {
        return new ProcessLimit(name, resource, limit, limit);
    }

    /// The word for `prlimit`.
    String word() {
        return "--%s=%d:%d".formatted(name, soft, hard);
    }
}

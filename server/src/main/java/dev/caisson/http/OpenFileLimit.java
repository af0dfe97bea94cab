package dev.caisson.http;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/// Limit on open files (RLIMIT_NOFILE) and so on connections of this process.
final class OpenFileLimit {
    private OpenFileLimit() {}

    /// How many of them connections may take, which leaves as many for files and sandboxes.
    static int forConnections() {
        return ManagementFactory.getOperatingSystemMXBean()
                        instanceof UnixOperatingSystemMXBean system
                ? Math.clamp(system.getMaxFileDescriptorCount() / 2, 1, Integer.MAX_VALUE)
                : Integer.MAX_VALUE;
    }
}

package dev.caisson.session;

import dev.caisson.config.Defaults;
import dev.caisson.config.Key;
import dev.caisson.share.ShareLimit;
import java.time.Duration;

/// Limits on sessions: on the memory they hold between calls, their number and their idle time.
///
/// @param memoryBytes that all of them may hold between calls; 0 means that only numbers count
/// @param total alive at once
/// @param perCaller of them
/// @param idle how long one lives without a call
/// @param part of memory and number that one caller may have, whatever `perCaller` says
public record SessionLimits(
        @Key(
                        name = "sandbox.sessions_memory_bytes",
                        initial = "0B",
                        min = "0B",
                        max = "64TiB",
                        doc =
                                "Memory that all sessions may hold between calls; with 0B it is half"
                                        + " of what all sandboxes have.")
                long memoryBytes,
        @Key(
                        name = "sandbox.sessions_max",
                        initial = "256",
                        min = "0",
                        max = "1000",
                        doc =
                                "Sessions alive at once, whatever they hold; 0 turns them off. Their"
                                        + " memory usually ends it before.")
                int total,
        @Key(
                        name = "sandbox.sessions_per_key",
                        initial = "64",
                        min = "0",
                        max = "1000",
                        doc = "Sessions of one key alive at once, whatever they hold.")
                int perCaller,
        @Key(
                        name = "sandbox.session_idle",
                        initial = "10m",
                        min = "1s",
                        max = "1d",
                        doc = "How long a session lives without a call.")
                Duration idle,
        ShareLimit part) {
    public static final SessionLimits DEFAULT = Defaults.of(SessionLimits.class);

    /// With numbers alone.
    public SessionLimits(int total, int perCaller, Duration idle) {
        this(0, total, perCaller, idle, ShareLimit.DEFAULT);
    }

    public SessionLimits {
        if (memoryBytes < 0 || total < 0 || perCaller < 0 || !idle.isPositive()) {
            throw new IllegalArgumentException("a limit of sessions is out of range");
        }
    }

    /// With half of the memory of all sandboxes unless the operator said how much, and with enough
    /// for one session in any case. The other half is for programs.
    ///
    /// @param all memory of sandboxes
    /// @param one what one session may need
    public SessionLimits within(long all, long one) {
        long wanted = memoryBytes == 0 ? all / 2 : Math.min(memoryBytes, all);
        return new SessionLimits(Math.max(one, wanted), total, perCaller, idle, part);
    }

    boolean countsMemory() {
        return memoryBytes > 0;
    }
}

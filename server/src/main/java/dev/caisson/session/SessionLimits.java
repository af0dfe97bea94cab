package dev.caisson.session;

import java.time.Duration;

/// How many sessions there may be.
///
/// @param total alive at once
/// @param perCaller of them
/// @param idle how long one lives without a call
public record SessionLimits(int total, int perCaller, Duration idle) {
    public static final SessionLimits DEFAULT = new SessionLimits(8, 4, Duration.ofMinutes(10));

    public SessionLimits {
        if (total < 0 || perCaller < 0 || !idle.isPositive()) {
            throw new IllegalArgumentException("a limit of sessions is out of range");
        }
    }
}

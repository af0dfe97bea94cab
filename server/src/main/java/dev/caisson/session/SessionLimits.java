package dev.caisson.session;

import dev.caisson.share.Part;
import java.time.Duration;

/// How many sessions there may be.
///
/// @param total alive at once
/// @param perCaller of them
/// @param idle how long one lives without a call
/// @param part of them that one caller may have, whatever `perCaller` says
public record SessionLimits(int total, int perCaller, Duration idle, Part part) {
    public static final SessionLimits DEFAULT =
            new SessionLimits(8, 4, Duration.ofMinutes(10), Part.DEFAULT);

    public SessionLimits(int total, int perCaller, Duration idle) {
        this(total, perCaller, idle, Part.DEFAULT);
    }

    public SessionLimits {
        if (total < 0 || perCaller < 0 || !idle.isPositive()) {
            throw new IllegalArgumentException("a limit of sessions is out of range");
        }
    }
}

package dev.caisson.search;

import java.time.Duration;

/// Bounds of a search in a tree that somebody else made.
///
/// @param names of any kind that are looked at
/// @param time it takes at most
/// @param fileBytes files that are larger are not searched
public record SeekBounds(long names, Duration time, long fileBytes) {
    public static final SeekBounds DEFAULT =
            new SeekBounds(1_000_000, Duration.ofSeconds(30), 64L << 20);
}

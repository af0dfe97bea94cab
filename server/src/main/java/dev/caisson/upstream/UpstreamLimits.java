package dev.caisson.upstream;

import java.time.Duration;

/// Limits on an upstream.
///
/// @param concurrency calls under way at once; a caller who is alone may have all of them
/// @param connect how long a connection to its address may take to be made
/// @param start how long it may take until it is ready
/// @param call how long a call may take
/// @param list how long a list of its tools may take
/// @param idle how long a connection without a call is kept
/// @param resultBytes how large an answer to a call may be
public record UpstreamLimits(
        int concurrency,
        Duration connect,
        Duration start,
        Duration call,
        Duration list,
        Duration idle,
        long resultBytes) {
    /// What counts where nothing else is said.
    public static final UpstreamLimits USUAL =
            new UpstreamLimits(
                    8,
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(20),
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(30),
                    Duration.ofMinutes(10),
                    16L << 20);
}

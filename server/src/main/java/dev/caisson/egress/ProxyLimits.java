package dev.caisson.egress;

import java.time.Duration;

/// Limits of the proxy of one run.
///
/// @param connections at once
/// @param bytes that may pass in both directions together
/// @param begin how long a request, or the beginning of what goes through a connection, may take to
///   come
/// @param connect how long a host may take to accept a connection
/// @param idle how long a connection may be silent in both directions
public record ProxyLimits(
        int connections, long bytes, Duration begin, Duration connect, Duration idle) {
    /// @param connections at once
    /// @param bytes in both directions together
    public static ProxyLimits of(int connections, long bytes) {
        return new ProxyLimits(
                connections,
                bytes,
                Duration.ofSeconds(15),
                Duration.ofSeconds(10),
                Duration.ofMinutes(5));
    }
}

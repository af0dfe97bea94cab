package dev.caisson.telemetry;

/// Access rule of `/metrics`.
public enum MetricsAccess {
    /// Everybody where only this machine reaches the server, and else a key.
    AUTO,
    /// Everybody.
    OPEN,
    /// A key with the scope admin or audit.
    KEY
}

package dev.caisson.sandbox;

import java.util.Locale;

/// Isolation tier: how much of what is promised is in force.
public enum Tier {
    /// Every layer.
    FULL,
    /// Some are missing, and the operator accepted each of them by name.
    REDUCED,
    /// Something is missing that was not accepted: no code runs.
    CLOSED;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}

package dev.caisson.sandbox;

import java.util.Locale;

/// Where the sandbox of a run came from.
public enum Start {
    /// It had been waiting, booted.
    WARM,
    /// It was made for the run.
    COLD;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}

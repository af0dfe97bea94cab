package dev.caisson.sandbox;

import java.util.Locale;

/// Start of a run: whether its sandbox had been waiting.
public enum Start {
    /// It had been waiting, booted.
    WARM,
    /// It was made for the run.
    COLD;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}

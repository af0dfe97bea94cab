package dev.caisson.runs;

import dev.caisson.config.Defaults;
import dev.caisson.config.Key;

/// Settings of background runs.
///
/// @param max how many one caller may have at once
public record BackgroundSettings(
        @Key(
                        name = "sandbox.background_max",
                        initial = "32",
                        min = "1",
                        max = "10000",
                        doc =
                                "Programs of one key that may run, or wait for a place, after their"
                                        + " calls were answered.")
                int max) {
    public static final BackgroundSettings DEFAULT = Defaults.of(BackgroundSettings.class);

    public BackgroundSettings {
        if (max < 1) {
            throw new IllegalArgumentException("at least one background run is allowed");
        }
    }
}

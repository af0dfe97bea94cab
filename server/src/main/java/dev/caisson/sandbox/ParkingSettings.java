package dev.caisson.sandbox;

import dev.caisson.config.Defaults;
import dev.caisson.config.Key;

/// Settings of [Parking].
///
/// @param max how many runs may stand still at once
/// @param bytesMax how much memory they may have together
public record ParkingSettings(
        @Key(
                        name = "approvals.parked_max",
                        initial = "64",
                        min = "1",
                        max = "10000",
                        doc =
                                "Runs that may stand still at once while a person decides on their"
                                        + " calls; one key may have its share of them.")
                int max,
        @Key(
                        name = "approvals.parked_bytes",
                        initial = "1GiB",
                        min = "1MiB",
                        max = "64TiB",
                        doc = "Memory that runs which stand still may have together.")
                long bytesMax) {
    public static final ParkingSettings DEFAULT = Defaults.of(ParkingSettings.class);
}

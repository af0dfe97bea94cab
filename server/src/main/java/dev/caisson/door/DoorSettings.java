package dev.caisson.door;

import dev.caisson.config.Defaults;
import dev.caisson.config.Key;
import java.time.Duration;

/// Limits on the calls that the program of one run makes.
///
/// @param callsMax in all
/// @param inFlightMax at a time; while there are so many, nothing more is read of the program
/// @param grace how long a program goes on that waits for people alone
/// @param mixedModes whether programs of a key with a network have tools as well
public record DoorSettings(
        @Key(
                        name = "code.calls_max",
                        initial = "10000",
                        min = "1",
                        max = "1000000",
                        doc = "Calls of tools that the program of one run may make.")
                int callsMax,
        @Key(
                        name = "code.calls_in_flight",
                        initial = "64",
                        min = "1",
                        max = "1024",
                        doc =
                                "Calls of tools that the program of one run has under way at most;"
                                        + " more wait.")
                int inFlightMax,
        @Key(
                        name = "approvals.grace",
                        initial = "1s",
                        min = "0s",
                        max = "10m",
                        doc =
                                "How long a program goes on that does nothing but wait for people;"
                                        + " then its run is parked: it uses neither processor nor"
                                        + " time nor a place until somebody decides.")
                Duration grace,
        @Key(
                        name = "sandbox.mixed_modes",
                        initial = "false",
                        doc =
                                "Programs of a key with a network may also call tools; what a tool"
                                        + " gives them can then leave by that network.")
                boolean mixedModes) {
    public static final DoorSettings DEFAULT = Defaults.of(DoorSettings.class);

    /// With the usual grace.
    DoorSettings(int callsMax, int inFlightMax) {
        this(callsMax, inFlightMax, DEFAULT.grace(), false);
    }

    /// What a program sends, in bytes.
    public static final int FRAME_IN_MAX = 1 << 20;

    /// What it is sent.
    public static final int FRAME_OUT_MAX = 24 << 20;

    /// Answers that it does not read, of all its connections.
    static final long UNREAD_MAX = 32L << 20;
}

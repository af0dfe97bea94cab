package dev.caisson.sandbox;

import dev.caisson.config.Defaults;
import dev.caisson.config.Key;

/// Settings of nests: whether sandboxes are made in a nest of their caller, and whether booted
/// interpreters are forked there.
public record NestSettings(
        @Key(
                        name = "sandbox.runtime",
                        initial = "auto",
                        doc =
                                "What makes sandboxes: `bubblewrap`, or `nest` where this machine can"
                                        + " have nests and bubblewrap otherwise, which `caisson doctor`"
                                        + " explains; `auto` leaves it to the server, which takes `nest`.")
                Maker runtime,
        @Key(
                        name = "sandbox.start",
                        initial = "fork",
                        doc =
                                "In a nest: `fork` forks a booted interpreter for each run of a key;"
                                        + " `boot` boots one for each run, for keys that strangers"
                                        + " share.")
                Beginning start) {
    public static final NestSettings DEFAULT = Defaults.of(NestSettings.class);

    /// What makes sandboxes.
    public enum Maker {
        AUTO,
        NEST,
        BUBBLEWRAP
    }

    /// How an interpreter comes into a sandbox.
    public enum Beginning {
        FORK,
        BOOT
    }

    public boolean wantsNests() {
        return switch (runtime) {
            case AUTO, NEST -> true;
            case BUBBLEWRAP -> false;
        };
    }

    public boolean forks() {
        return start == Beginning.FORK;
    }
}

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
                Beginning start,
        @Key(
                        name = "sandbox.slots",
                        initial = "keep",
                        doc =
                                "In a nest: `keep` uses the control group and the network namespace of"
                                        + " a run again for runs of the same key, when they are empty;"
                                        + " `fresh` makes new ones for each run, and so does"
                                        + " `sandbox.start: boot`.")
                SlotUse slots) {
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

    /// What becomes of a slot's control group and network.
    public enum SlotUse {
        KEEP,
        FRESH
    }

    public boolean wantsNests() {
        return switch (runtime) {
            case AUTO, NEST -> true;
            case BUBBLEWRAP -> false;
        };
    }

    public boolean keepsSlots() {
        return slots == SlotUse.KEEP && forks();
    }

    public boolean forks() {
        return start == Beginning.FORK;
    }
}

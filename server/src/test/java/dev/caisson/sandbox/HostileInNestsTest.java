package dev.caisson.sandbox;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/// Hostile programs in boxes of nests: they end, are answered and leave nothing as those in boxes
/// of bubblewrap.
@Tag("root")
@Tag("slow")
@InNests
class HostileInNestsTest {
    @Nested
    class Neighbours extends HostileNeighbourTest {
        Neighbours(Rig rig) {
            super(rig);
        }
    }

    @Nested
    class Sessions extends HostileSessionTest {
        Sessions(Rig rig) {
            super(rig);
        }
    }

    @Nested
    class Held extends HeldDescriptorTest {
        Held(Rig rig) {
            super(rig);
        }
    }

    @Nested
    class Frozen extends FrozenSandboxTest {
        Frozen(Rig rig) {
            super(rig);
        }
    }

    @Nested
    class Signals extends IgnoredSignalsTest {
        Signals(Rig rig) {
            super(rig);
        }
    }
}

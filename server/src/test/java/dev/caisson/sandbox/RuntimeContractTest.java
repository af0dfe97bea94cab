package dev.caisson.sandbox;

import org.junit.jupiter.api.Nested;

/// Contract of a [SandboxRuntime]: what its boxes owe, and beyond a single box that sessions live
/// in them and that nothing is left of them. A runtime passes it by one subclass, and
/// [BoxContractTest] by another for boxes that waited.
abstract class RuntimeContractTest extends BoxContractTest {
    @Nested
    class Sessions extends ResidentContractTest {
        Sessions(Rig rig) {
            super(rig);
        }
    }

    @Nested
    class Leftovers extends LeftoverContractTest {
        Leftovers(Rig rig) {
            super(rig);
        }
    }
}

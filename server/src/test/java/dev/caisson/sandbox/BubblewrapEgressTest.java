package dev.caisson.sandbox;

/// Networks of boxes that bubblewrap makes for their run.
@InBubblewrap
class BubblewrapEgressTest extends EgressContractTest {
    BubblewrapEgressTest(Rig rig) {
        super(rig);
    }
}

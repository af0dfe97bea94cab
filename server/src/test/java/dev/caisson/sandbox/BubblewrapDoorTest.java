package dev.caisson.sandbox;

/// Doors of boxes that bubblewrap makes for their run.
@InBubblewrap
class BubblewrapDoorTest extends DoorContractTest {
    BubblewrapDoorTest(Rig rig) {
        super(rig);
    }
}

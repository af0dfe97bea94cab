package dev.caisson.sandbox;

/// Doors of boxes that waited for their run.
@Warmed
class WarmDoorTest extends DoorContractTest {
    WarmDoorTest(Rig rig) {
        super(rig);
    }
}

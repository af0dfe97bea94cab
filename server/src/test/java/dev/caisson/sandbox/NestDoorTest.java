package dev.caisson.sandbox;

/// Doors of boxes that are made in nests.
@InNests
class NestDoorTest extends DoorContractTest {
    NestDoorTest(Rig rig) {
        super(rig);
    }
}

package dev.caisson.sandbox;

/// Runs in sandboxes made by bubblewrap are parked as the contract says.
class ParkedBubblewrapTest extends ParkedContractTest {
    ParkedBubblewrapTest() {
        super(NestSettings.Maker.BUBBLEWRAP);
    }
}

package dev.caisson.sandbox;

/// Runs in nests are parked as the contract says.
class ParkedNestTest extends ParkedContractTest {
    ParkedNestTest() {
        super(NestSettings.Maker.NEST);
    }
}

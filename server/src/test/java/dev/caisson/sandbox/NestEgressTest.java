package dev.caisson.sandbox;

/// Networks of boxes that are made in nests.
@InNests
class NestEgressTest extends EgressContractTest {
    NestEgressTest(Rig rig) {
        super(rig);
    }
}

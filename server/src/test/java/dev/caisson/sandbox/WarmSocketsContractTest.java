package dev.caisson.sandbox;

/// The same in sandboxes that waited for their run.
@Warmed
class WarmSocketsContractTest extends SocketsContractTest {
    WarmSocketsContractTest(Rig rig) {
        super(rig);
    }
}

package dev.caisson.sandbox;

/// The same in sandboxes that waited for their run.
@Warmed
class WarmKernelShareContractTest extends KernelShareContractTest {
    WarmKernelShareContractTest(Rig rig) {
        super(rig);
    }
}

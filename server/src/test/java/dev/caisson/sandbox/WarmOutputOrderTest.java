package dev.caisson.sandbox;

/// The same in sandboxes that waited, whose programs begin at once.
@Warmed
class WarmOutputOrderTest extends OutputOrderTest {
    WarmOutputOrderTest(Rig rig) {
        super(rig);
    }
}

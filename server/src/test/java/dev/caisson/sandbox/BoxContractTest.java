package dev.caisson.sandbox;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

/// Contract of a box, whichever runtime made it, and whether it waited for its run or was made for
/// it. Each part is a class of its own, which says what holds.
@ExtendWith(Rig.Shared.class)
abstract class BoxContractTest {
    @Nested
    class Outcomes extends OutcomeContractTest {
        Outcomes(Rig rig) {
            super(rig);
        }
    }

    @Nested
    class Walls extends IsolationContractTest {
        Walls(Rig rig) {
            super(rig);
        }
    }

    @Nested
    class Sockets extends SocketsContractTest {
        Sockets(Rig rig) {
            super(rig);
        }
    }

    @Nested
    class KernelShares extends KernelShareContractTest {
        KernelShares(Rig rig) {
            super(rig);
        }
    }

    @Nested
    class Workspaces extends WorkspaceContractTest {
        Workspaces(Rig rig) {
            super(rig);
        }
    }

    @Nested
    class OutputOrders extends OutputOrderTest {
        OutputOrders(Rig rig) {
            super(rig);
        }
    }

    @Nested
    class PlainInterpreters extends PlainInterpreterTest {
        PlainInterpreters(Rig rig) {
            super(rig);
        }
    }

    @Nested
    class PlainEndings extends PlainEndingTest {
        PlainEndings(Rig rig) {
            super(rig);
        }
    }
}

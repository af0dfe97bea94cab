package dev.caisson.sandbox;

import dev.caisson.call.BoundedClose;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/// Sandbox runtime: one way to make sandboxes, behind which the pool, admission and sessions know
/// nothing of how they are made. An implementation is a chamber of this room, and [Sandboxes]
/// chooses it; `RuntimeContractTest` says what every one of them owes.
///
/// Opening one removes what a killed server left of that kind, and proves the isolation.
public interface SandboxRuntime extends BoundedClose {
    /// As it is written in the log, such as `bubblewrap`.
    String name();

    /// Which layers hold in the boxes it makes, as proved when it was opened.
    Isolation isolation();

    /// What could be a runner here, the host's own first. Each is tried in a box before it is
    /// offered.
    List<Candidate> candidates() throws IOException;

    /// An empty workspace for programs of the server's own, which leave nothing in it.
    Workspace trialWorkspace() throws IOException;

    /// Whether a box can be made before its workspace is known, and wait for it.
    boolean canWait();

    /// Whether boxes of such a boot that are made for one caller are of use to that caller alone,
    /// and cost so little that each caller can have some waiting.
    default boolean keepsApart(Boot boot) {
        return false;
    }

    /// Whether something can listen in the boxes it makes, see [Box#listen].
    default boolean canListen() {
        return canWait();
    }

    /// Whether what is in its boxes can be made to stand still, see [Box#park].
    default boolean canPark() {
        return false;
    }

    /// Which runtime makes which boxes, and why, for the operator.
    default String makers() {
        return name() + " makes all sandboxes";
    }

    /// How many boxes have a host user: those that are there, and those that could not be taken
    /// apart, whose users serve no other.
    int boxes();

    /// What it keeps between sandboxes.
    default Resting resting() {
        return Resting.NONE;
    }

    /// Ends what is kept for a caller who will not come again.
    default void forget(String caller) {}

    /// Interpreters are looked for anew: what is kept of those that were found before makes no more
    /// boxes.
    default void renew() {}

    /// Makes a box whose interpreter is booted and waits for its job. It must be ended, see
    /// [Box#end].
    ///
    /// @throws NotMade when there is none, with the reason
    /// @throws TooLittleMemory when the limit did not let the interpreter start
    Box make(Blueprint blueprint) throws IOException, InterruptedException, TooLittleMemory;

    /// Kills what is in every box. No box is made afterwards.
    void killAll();

    /// Waits until every box that was ended is gone, and removes what they shared.
    @Override
    void close(Duration atMost);
}

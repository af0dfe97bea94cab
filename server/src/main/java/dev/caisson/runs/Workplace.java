package dev.caisson.runs;

import dev.caisson.sandbox.Outcome;
import dev.caisson.sandbox.Run;
import dev.caisson.sandbox.Runs;
import dev.caisson.session.SessionCallResult;
import java.util.Optional;
import java.util.Set;

/// Place where a program runs: a sandbox of its own, or a session.
sealed interface Workplace extends RunFollower.Work permits Workplace.Own, SessionWork {
    /// Never leave the server.
    Set<String> secrets();

    /// What became of the session; empty without one, and when nothing had begun.
    Optional<SessionCallResult> turn();

    /// A sandbox for this program alone.
    record Own(Runs runs, Set<String> secrets) implements Workplace {
        @Override
        public Outcome run(Run run) throws InterruptedException {
            return runs.run(run);
        }

        @Override
        public Optional<SessionCallResult> turn() {
            return Optional.empty();
        }
    }
}

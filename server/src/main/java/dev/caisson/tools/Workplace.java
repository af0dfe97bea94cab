package dev.caisson.tools;

import dev.caisson.sandbox.Outcome;
import dev.caisson.sandbox.Run;
import dev.caisson.sandbox.Runs;
import dev.caisson.session.Turn;
import java.util.Optional;
import java.util.Set;

/// Where a program runs, and what must not be seen of it.
sealed interface Workplace extends Watch.Work permits Workplace.Own, SessionWork {
    /// Never leave the server.
    Set<String> secrets();

    /// What became of the session; empty without one, and when nothing had begun.
    Optional<Turn> turn();

    /// A sandbox for this program alone.
    record Own(Runs runs, Set<String> secrets) implements Workplace {
        @Override
        public Outcome run(Run run) throws InterruptedException {
            return runs.run(run);
        }

        @Override
        public Optional<Turn> turn() {
            return Optional.empty();
        }
    }
}

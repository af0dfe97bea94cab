package dev.caisson.runs;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Remedy;
import java.util.HashMap;
import java.util.Map;

/// Background runs: programs that run on after their calls were answered. Counts those of each
/// caller, and keeps their results for a while.
public final class BackgroundRuns {
    private final int max;
    private final Map<String, Integer> held = new HashMap<>();
    private final EndedRuns ended = new EndedRuns();

    public BackgroundRuns(BackgroundSettings settings) {
        this.max = settings.max();
    }

    /// Results of those that have ended.
    EndedRuns ended() {
        return ended;
    }

    /// A place that one run may take.
    Place place(String owner) {
        return new Place(owner);
    }

    /// Place of one run among the background runs of its caller; free until it is taken.
    final class Place implements AutoCloseable {
        private final String owner;
        private boolean taken;

        private Place(String owner) {
            this.owner = owner;
        }

        /// @throws Refusal NO_CAPACITY when the caller has as many as it may
        void take() {
            if (!tryTake()) {
                throw refusal();
            }
        }

        /// @return whether the run has its place, now or from before
        boolean tryTake() {
            synchronized (held) {
                if (!taken && held.getOrDefault(owner, 0) < max) {
                    held.merge(owner, 1, Integer::sum);
                    taken = true;
                }
                return taken;
            }
        }

        boolean isTaken() {
            synchronized (held) {
                return taken;
            }
        }

        @Override
        public void close() {
            synchronized (held) {
                if (taken) {
                    taken = false;
                    held.computeIfPresent(owner, (_, count) -> count > 1 ? count - 1 : null);
                }
            }
        }

        private Refusal refusal() {
            return new Refusal(
                    Reason.NO_CAPACITY,
                    "You have %d background runs, the most a key may have. Wait for one with %s, or end one with %s; %s names them."
                            .formatted(
                                    max,
                                    Remedy.WAIT_FOR_EXECUTION.word(),
                                    Remedy.CANCEL_EXECUTION.word(),
                                    Remedy.LIST_EXECUTIONS.word()),
                    Map.of("limit", "sandbox.background_max"));
        }
    }
}

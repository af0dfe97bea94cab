package dev.caisson.runs;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Remedy;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/// Background runs: programs that run on after their calls were answered. Counts those of each
/// caller, and keeps their results for a while.
public final class BackgroundRuns {
    private final int max;
    private final Duration clientWait;
    private final Map<String, Integer> held = new HashMap<>();
    private final EndedRuns ended = new EndedRuns();

    public BackgroundRuns(BackgroundSettings settings) {
        this(settings, Duration.ofSeconds(45));
    }

    /// @param clientWait how long the client of a run that waits for people has no answer
    public BackgroundRuns(BackgroundSettings settings, Duration clientWait) {
        this.max = settings.max();
        this.clientWait = clientWait;
    }

    Duration clientWait() {
        return clientWait;
    }

    /// Results of those that have ended.
    EndedRuns ended() {
        return ended;
    }

    /// A place that one run may take.
    Place place(String owner) {
        return new Place(owner);
    }

    /// Place of one run among the background runs of its caller; free until it is taken. One that
    /// waits for people takes none from others.
    final class Place implements AutoCloseable {
        private final String owner;
        private boolean taken;
        private boolean waits;

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
                if (!taken && (waits || held.getOrDefault(owner, 0) < max)) {
                    taken = true;
                    count(waits ? 0 : 1);
                }
                return taken;
            }
        }

        private void count(int more) {
            held.merge(owner, more, Integer::sum);
            held.computeIfPresent(owner, (_, count) -> count > 0 ? count : null);
        }

        /// @param now whether its program waits for people, and for nothing else
        void waits(boolean now) {
            synchronized (held) {
                if (taken && waits != now) {
                    count(now ? -1 : 1);
                }
                waits = now;
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
                    count(waits ? 0 : -1);
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

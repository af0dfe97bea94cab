package dev.caisson.sandbox;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/// Times of a run's stages: where its time went.
///
/// @param times of the stages it came to
public record Stages(Map<Stage, Duration> times) {
    public static final Stages NONE = new Stages(Map.of());

    public Stages {
        times = Map.copyOf(times);
    }

    /// Zero for a stage the run did not come to.
    public Duration of(Stage stage) {
        return Objects.requireNonNullElse(times.get(stage), Duration.ZERO);
    }

    /// Measures one run, on one thread.
    public static final class Watch {
        private final Map<Stage, Duration> times = new EnumMap<>(Stage.class);
        private long since = System.nanoTime();

        public Watch(Duration queued) {
            times.put(Stage.QUEUE, queued);
        }

        /// What happened since the stage before was this one.
        ///
        /// @return how long it took
        public Duration ended(Stage stage) {
            return ended(stage, Duration.ZERO);
        }

        /// The same, but for a time in which it stood still.
        public Duration ended(Stage stage, Duration stood) {
            long now = System.nanoTime();
            var taken = Duration.ofNanos(now - since).minus(stood);
            times.put(stage, taken);
            since = now;
            return taken;
        }

        public Stages stages() {
            return new Stages(times);
        }
    }
}

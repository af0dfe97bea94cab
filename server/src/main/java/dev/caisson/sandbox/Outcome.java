package dev.caisson.sandbox;

import java.time.Duration;
import java.util.Optional;

/// Outcome of a run: how it ended. All of these are normal endings, none is an exception, and every
/// one is the kernel's word: the wait status of the program and the events of its control group,
/// never what it printed.
public sealed interface Outcome {
    /// What the run used; measured from outside.
    Usage usage();

    /// The value the program handed over. Its own word: shown as its result, trusted for nothing
    /// else.
    Optional<HandedOver> value();

    /// The same ending with other figures.
    default Outcome using(Usage usage) {
        return switch (this) {
            case Exited(int code, var _, var value) -> new Exited(code, usage, value);
            case Signalled(int signal, var _, var value) -> new Signalled(signal, usage, value);
            case TimedOut(var _, var value) -> new TimedOut(usage, value);
            case OutOfMemory(var _, var value) -> new OutOfMemory(usage, value);
            case Cancelled(var _, var value) -> new Cancelled(usage, value);
            case Blocked(var why, var _) -> new Blocked(why, usage);
        };
    }

    record Exited(int code, Usage usage, Optional<HandedOver> value) implements Outcome {}

    record Signalled(int signal, Usage usage, Optional<HandedOver> value) implements Outcome {}

    record TimedOut(Usage usage, Optional<HandedOver> value) implements Outcome {}

    /// Something in the sandbox was killed for memory, and that is why the program failed.
    record OutOfMemory(Usage usage, Optional<HandedOver> value) implements Outcome {}

    record Cancelled(Usage usage, Optional<HandedOver> value) implements Outcome {}

    /// It never ran, because the host lacks something that was promised or the sandbox could not be
    /// made.
    record Blocked(String why, Usage usage) implements Outcome {
        @Override
        public Optional<HandedOver> value() {
            return Optional.empty();
        }
    }

    /// @param queueMillis waiting for a place
    /// @param wallMillis from hand-over to the end
    /// @param stages where all of the time went
    record Usage(
            long queueMillis,
            long wallMillis,
            long cpuMillis,
            long memoryPeakBytes,
            Stages stages) {
        public static final Usage NONE = new Usage(0, 0, 0, 0);

        public Usage(long queueMillis, long wallMillis, long cpuMillis, long memoryPeakBytes) {
            this(queueMillis, wallMillis, cpuMillis, memoryPeakBytes, Stages.NONE);
        }

        public Usage in(Stages times) {
            return new Usage(queueMillis, wallMillis, cpuMillis, memoryPeakBytes, times);
        }

        /// Where its sandbox came from; empty when the program never ran.
        public Optional<Start> start() {
            var times = stages.times();
            if (!times.containsKey(Stage.ATTACH)) {
                return Optional.empty();
            }
            return Optional.of(times.containsKey(Stage.BOOT) ? Start.COLD : Start.WARM);
        }

        /// With more time spent waiting, before the run was asked for.
        public Usage queuedAlso(Duration waited) {
            return new Usage(
                    queueMillis + waited.toMillis(),
                    wallMillis,
                    cpuMillis,
                    memoryPeakBytes,
                    stages);
        }
    }
}

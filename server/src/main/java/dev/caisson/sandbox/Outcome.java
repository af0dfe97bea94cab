package dev.caisson.sandbox;

import java.util.Optional;

/// How a run ended. All of these are normal endings, none is an exception, and every one is the
/// kernel's word: the wait status of the program and the events of its control group, never what it
/// printed.
public sealed interface Outcome {
    /// What the run used; measured from outside.
    Usage usage();

    /// The value the program handed over. Its own word: shown as its result, trusted for nothing
    /// else.
    Optional<HandedOver> value();

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
    record Usage(long queueMillis, long wallMillis, long cpuMillis, long memoryPeakBytes) {
        public static final Usage NONE = new Usage(0, 0, 0, 0);
    }
}

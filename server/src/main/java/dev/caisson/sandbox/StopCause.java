package dev.caisson.sandbox;

import dev.caisson.linux.ExitStatus;
import java.util.Optional;

/// Cause of the end of waiting for a program.
public enum StopCause {
    /// It ended by itself, or something in the kernel ended it.
    BY_ITSELF,
    OUT_OF_TIME,
    CANCELLED;

    /// What that means together with what the kernel says.
    ///
    /// A program that ends well although something in it was killed for memory has ended well; one
    /// that ends badly after that has run out of memory.
    ///
    /// @param memoryKills how many processes the kernel killed for memory
    public Outcome outcome(
            ExitStatus status, long memoryKills, Outcome.Usage usage, Optional<HandedOver> value) {
        return switch (this) {
            case CANCELLED -> new Outcome.Cancelled(usage, value);
            case OUT_OF_TIME -> new Outcome.TimedOut(usage, value);
            case BY_ITSELF ->
                    memoryKills > 0 && status.shellCode() != 0
                            ? new Outcome.OutOfMemory(usage, value)
                            : ended(status, usage, value);
        };
    }

    private static Outcome ended(
            ExitStatus status, Outcome.Usage usage, Optional<HandedOver> value) {
        return switch (status) {
            case ExitStatus.Exited(int code) -> new Outcome.Exited(code, usage, value);
            case ExitStatus.Signalled(int signal, boolean _) ->
                    new Outcome.Signalled(signal, usage, value);
        };
    }
}

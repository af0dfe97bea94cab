package dev.caisson.executions;

import dev.caisson.json.Named;
import java.util.Optional;

/// End of a run: its status, and how the program ended.
///
/// @param exitCode when the program ended by itself
/// @param signal the name of the signal that ended it
/// @param sentence what to know and what to do, when the exit code does not say it all
public record Ended(
        ExecutionStatus status,
        Optional<Integer> exitCode,
        Optional<String> signal,
        @Named("error") Optional<String> sentence) {
    public Ended {
        if (status == ExecutionStatus.RUNNING) {
            throw new IllegalArgumentException("what is running is not complete");
        }
    }

    /// The end of a program of which there is no exit code.
    public static Ended without(ExecutionStatus status, String sentence) {
        return new Ended(status, Optional.empty(), Optional.empty(), Optional.of(sentence));
    }

    public boolean succeeded() {
        return status == ExecutionStatus.SUCCESS;
    }

    /// Why it did not succeed, in words that no program chose.
    public Optional<String> failure() {
        if (succeeded()) {
            return Optional.empty();
        }
        return exitCode.map(code -> "exit code " + code)
                .or(() -> signal)
                .or(() -> Optional.of(status.word()));
    }

    /// The same as a sentence.
    public String problem() {
        return sentence.or(() ->
                        exitCode.map(code -> "The program ended with exit code " + code + "."))
                .orElse("");
    }
}

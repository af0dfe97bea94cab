package dev.caisson.call;

import java.util.Optional;

/// Place of a call that a program made: in which execution, and as which of its calls.
///
/// @param executionId of the run whose program made it
/// @param number from 1, in the order in which they came
/// @param at where in the program, by its own word
public record NestedIn(String executionId, long number, Optional<CodePlace> at) {
    public NestedIn(String executionId, long number) {
        this(executionId, number, Optional.empty());
    }

    /// The id of the call, of which there is no other.
    public String callId() {
        return executionId + "." + number;
    }
}

package dev.caisson.call;

/// Place of a call that a program made: in which execution, and as which of its calls.
///
/// @param executionId of the run whose program made it
/// @param number from 1, in the order in which they came
public record NestedIn(String executionId, long number) {
    /// The id of the call, of which there is no other.
    public String callId() {
        return executionId + "." + number;
    }
}

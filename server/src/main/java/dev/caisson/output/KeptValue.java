package dev.caisson.output;

/// Result of storing a value with its execution.
public sealed interface KeptValue {
    /// @param bytes of its JSON as it is kept, redacted
    record Stored(long bytes) implements KeptValue {}

    /// More than may be kept of one execution.
    record TooLarge() implements KeptValue {}

    /// It is malformed, nested too deep, or a text in it cannot be written again.
    record NotJson() implements KeptValue {}

    /// The disk did not take it.
    record NotStored() implements KeptValue {}
}

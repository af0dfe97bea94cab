package dev.caisson.storage;

/// What became of a value that was to be kept with its execution.
public sealed interface KeptValue {
    /// @param bytes of its JSON as it is kept, redacted
    record Stored(long bytes) implements KeptValue {}

    /// More than may be kept of one execution.
    record TooLarge() implements KeptValue {}

    record NotJson() implements KeptValue {}

    /// The disk did not take it.
    record NotStored() implements KeptValue {}
}

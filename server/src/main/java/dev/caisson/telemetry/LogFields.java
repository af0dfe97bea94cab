package dev.caisson.telemetry;

/// An argument of a log call whose parts become members of a JSON line, or the words of a line for
/// people, without being made into text before somebody wants it.
public interface LogFields {
    /// Called on the log's own thread.
    void writeTo(LogLine line);

    /// Says the same in a few words, in place of the message. Called on the log's own thread.
    void describe(TextLine line);
}

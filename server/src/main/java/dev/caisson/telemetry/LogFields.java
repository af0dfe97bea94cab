package dev.caisson.telemetry;

/// An argument of a log call whose parts become members of the line, without being made into text
/// before somebody wants it.
public interface LogFields {
    /// Called on the log's own thread.
    void writeTo(LogLine line);
}

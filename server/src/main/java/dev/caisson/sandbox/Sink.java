package dev.caisson.sandbox;

/// Sink of a program's output while it runs.
public interface Sink {
    enum Stream {
        STDOUT,
        STDERR
    }

    /// Called in the order the bytes were read, which [OutputReader] says, by one thread at a time.
    /// Must not keep the array. May block for a moment: a program that writes faster than it is
    /// read waits.
    void write(Stream stream, byte[] bytes, int offset, int length);
}

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

    /// Whether it takes so much more without waiting for anything, be it a disk. Then it may be
    /// written to by a thread that has to keep limits of time.
    ///
    /// @param bytes of all streams together
    default boolean takesAtOnce(int bytes) {
        return false;
    }
}

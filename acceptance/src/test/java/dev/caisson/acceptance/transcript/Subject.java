package dev.caisson.acceptance.transcript;

/// The server a transcript talks to.
public interface Subject {
    int port();

    /// The secret of a key.
    String key(String name);
}

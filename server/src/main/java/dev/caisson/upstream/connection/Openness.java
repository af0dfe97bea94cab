package dev.caisson.upstream.connection;

/// Openness of a connection: whether it can still be used. One that was closed once stays closed.
final class Openness {
    private volatile boolean open = true;
    private volatile boolean garbled;

    boolean isOpen() {
        return open;
    }

    /// Whether it was closed for what came over it.
    boolean isGarbled() {
        return garbled;
    }

    void close() {
        open = false;
    }

    /// Nobody knows what else is wrong with a connection over which that came.
    void garble() {
        garbled = true;
        open = false;
    }
}

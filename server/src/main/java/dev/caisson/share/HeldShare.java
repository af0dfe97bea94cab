package dev.caisson.share;

/// Part of a share that a caller holds. Closing gives it back, once.
public interface HeldShare extends AutoCloseable {
    @Override
    void close();
}

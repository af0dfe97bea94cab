package dev.caisson.share;

/// What a caller took of a share. Closing gives it back, once.
public interface Held extends AutoCloseable {
    @Override
    void close();
}

package dev.caisson.linux;

/// Detached mount, a file system that is mounted nowhere: it exists as a descriptor, is attached to
/// a sandbox by cloning, and is gone when it is closed and no sandbox holds a clone.
public interface Mount extends AutoCloseable {
    /// The descriptor, in this process. Its root is reachable as `/proc/self/fd/<number>`.
    int descriptor();

    @Override
    void close();
}

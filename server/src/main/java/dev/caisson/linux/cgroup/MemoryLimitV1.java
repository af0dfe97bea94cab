package dev.caisson.linux.cgroup;

import dev.caisson.linux.calls.HeldFile;
import dev.caisson.linux.calls.KernelFiles;
import java.nio.file.Path;
import java.util.Optional;

/// Memory limit of a group of version 1: memory alone, memory and swap together, and buffers of the
/// network. A limit that changes again and again, as that of a session does, is changed through
/// files that are held.
final class MemoryLimitV1 implements AutoCloseable {
    private static final long NETWORK_BUFFERS_MAX = 32L << 20;

    private final Path directory;
    private Optional<HeldFile> alone = Optional.empty();
    private Optional<HeldFile> withSwap = Optional.empty();

    /// @param directory of the group in the tree of the memory controller
    MemoryLimitV1(Path directory) {
        this.directory = directory;
    }

    /// For a group whose limit is not known.
    void set(long bytes) {
        limitWithSwap(directory, bytes);
        KernelFiles.writeIfPresent(directory.resolve("memory.swappiness"), "0");
        limitNetwork(bytes);
    }

    /// Memory alone may never be above memory and swap together, so the order depends on the
    /// direction.
    static void limitWithSwap(Path directory, long bytes) {
        var alone = alone(directory);
        var withSwap = KernelFiles.existing(withSwap(directory));
        if (withSwap.isPresent() && KernelFiles.number(withSwap.get()) < bytes) {
            KernelFiles.writeBytesVerified(withSwap.get(), bytes);
        }
        KernelFiles.writeBytesVerified(alone, bytes);
        withSwap.ifPresent(file -> KernelFiles.writeBytesVerified(file, bytes));
    }

    /// @param before the limit in force
    synchronized void change(long before, long bytes) {
        if (alone.isEmpty()) {
            alone = Optional.of(HeldFile.toReadAndWrite(alone(directory)));
            withSwap = KernelFiles.existing(withSwap(directory)).map(HeldFile::toReadAndWrite);
        }
        if (bytes > before) {
            withSwap.ifPresent(file -> file.writeBytesVerified(bytes));
            alone.get().writeBytesVerified(bytes);
        } else {
            alone.get().writeBytesVerified(bytes);
            withSwap.ifPresent(file -> file.writeBytesVerified(bytes));
        }
        if (Math.min(bytes, NETWORK_BUFFERS_MAX) != Math.min(before, NETWORK_BUFFERS_MAX)) {
            limitNetwork(bytes);
        }
    }

    private void limitNetwork(long bytes) {
        KernelFiles.writeIfPresent(
                directory.resolve("memory.kmem.tcp.limit_in_bytes"),
                Long.toString(Math.min(bytes, NETWORK_BUFFERS_MAX)));
    }

    private static Path alone(Path directory) {
        return directory.resolve("memory.limit_in_bytes");
    }

    private static Path withSwap(Path directory) {
        return directory.resolve("memory.memsw.limit_in_bytes");
    }

    @Override
    public synchronized void close() {
        alone.ifPresent(HeldFile::close);
        withSwap.ifPresent(HeldFile::close);
    }
}

package dev.caisson.linux.calls;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Number that the kernel counts in a text file, which is held from its first use on. It can be
/// told from a moment on, as if nothing had been counted before.
public final class HeldCounter implements AutoCloseable {
    private final List<Path> files;
    private final String key;
    private Optional<HeldFile> held = Optional.empty();
    private long origin;
    private boolean resets;
    private boolean closed;

    private HeldCounter(List<Path> files, String key) {
        this.files = List.copyOf(files);
        this.key = key;
    }

    /// A file that is one number.
    ///
    /// @param files of which the first counts that is there; zero when none is
    public static HeldCounter number(List<Path> files) {
        return new HeldCounter(files, "");
    }

    /// The number behind a word in a file of lines such as `oom_kill 3`; zero when it is not there.
    public static HeldCounter keyed(List<Path> files, String key) {
        return new HeldCounter(files, key);
    }

    /// @throws java.io.UncheckedIOException when it was there and is not any more
    public synchronized long value() {
        return Math.max(0, counted() - origin);
    }

    private long counted() {
        var from = file();
        if (from.isEmpty()) {
            return 0;
        }
        return key.isEmpty() ? from.get().number() : KernelFiles.keyed(from.get().read(), key);
    }

    /// Counts from here on.
    public synchronized void restart() {
        origin = counted();
    }

    /// The same for the most there ever was, which the kernel forgets for who writes to the file,
    /// and on some kernels for him alone.
    ///
    /// @throws java.io.UncheckedIOException when this kernel does not
    public synchronized void forget() {
        if (!resets) {
            held.ifPresent(HeldFile::close);
            held = existing().map(HeldFile::toReadAndWrite);
            resets = true;
        }
        held.ifPresent(file -> file.write("0"));
        restart();
    }

    private synchronized Optional<HeldFile> file() {
        if (held.isEmpty() && !closed) {
            held = existing().map(HeldFile::toRead);
        }
        return held;
    }

    private Optional<Path> existing() {
        return files.stream().flatMap(file -> KernelFiles.existing(file).stream()).findFirst();
    }

    @Override
    public synchronized void close() {
        closed = true;
        held.ifPresent(HeldFile::close);
    }
}

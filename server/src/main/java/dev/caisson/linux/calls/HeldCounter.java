package dev.caisson.linux.calls;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Number that the kernel counts in a text file, which is held from its first use on.
public final class HeldCounter implements AutoCloseable {
    private final List<Path> files;
    private final String key;
    private Optional<HeldFile> held = Optional.empty();
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
    public long value() {
        var from = file();
        if (from.isEmpty()) {
            return 0;
        }
        return key.isEmpty() ? from.get().number() : KernelFiles.keyed(from.get().read(), key);
    }

    private synchronized Optional<HeldFile> file() {
        if (held.isEmpty() && !closed) {
            held =
                    files.stream()
                            .flatMap(file -> KernelFiles.existing(file).stream())
                            .findFirst()
                            .map(HeldFile::toRead);
        }
        return held;
    }

    @Override
    public synchronized void close() {
        closed = true;
        held.ifPresent(HeldFile::close);
    }
}

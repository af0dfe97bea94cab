package dev.caisson.linux.calls;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;

/// Reader and writer of the small text files through which the kernel speaks.
public final class KernelFiles {
    private KernelFiles() {}

    public static String read(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot read " + file, failed);
        }
    }

    public static long number(Path file) {
        return Long.parseLong(read(file));
    }

    /// The number behind a word in lines such as `oom_kill 3`; zero when it is not there.
    static long keyed(String lines, String key) {
        return lines.lines()
                .filter(line -> line.startsWith(key + " "))
                .mapToLong(line -> Long.parseLong(line.substring(key.length() + 1).strip()))
                .findFirst()
                .orElse(0);
    }

    /// Never makes a file: one that is not there is something this kernel does not have.
    public static void write(Path file, String text) {
        try {
            Files.writeString(
                    file, text, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot write " + text + " to " + file, failed);
        }
    }

    public static void writeIfPresent(Path file, String text) {
        if (Files.exists(file)) {
            write(file, text);
        }
    }

    /// Writes a limit and checks that the kernel took it.
    public static void writeVerified(Path file, String text) {
        write(file, text);
        verify(file, text, read(file).equals(text));
    }

    /// As [#writeVerified(Path, String)] for bytes, which the kernel rounds down to whole pages.
    public static void writeBytesVerified(Path file, long bytes) {
        write(file, Long.toString(bytes));
        long taken = number(file);
        verify(file, Long.toString(bytes), isTaken(bytes, taken));
    }

    static boolean isTaken(long bytes, long taken) {
        return taken <= bytes && taken > bytes - (1 << 16);
    }

    private static void verify(Path file, String wanted, boolean taken) {
        if (!taken) {
            throw new IllegalStateException(
                    "the kernel did not take %s for %s: it has %s"
                            .formatted(wanted, file, read(file)));
        }
    }

    /// The processes in a group; none when the group is gone.
    public static List<Integer> processes(Path directory) {
        try {
            return Files.readAllLines(directory.resolve("cgroup.procs")).stream()
                    .map(Integer::valueOf)
                    .toList();
        } catch (IOException gone) {
            return List.of();
        }
    }

    public static Optional<Path> existing(Path file) {
        return Optional.of(file).filter(Files::exists);
    }
}

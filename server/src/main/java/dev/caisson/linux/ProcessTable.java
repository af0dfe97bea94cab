package dev.caisson.linux;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Size of the process table: how many processes and threads the machine can have at once, for all
/// its users.
public final class ProcessTable {
    private static final Path SETTINGS = Path.of("/proc/sys/kernel");

    private ProcessTable() {}

    /// The smaller of the kernel's two limits.
    public static int size() {
        long numbers = number("pid_max");
        long threads = number("threads-max");
        return Math.toIntExact(Math.min(numbers, threads));
    }

    /// Read in one go: the kernel gives such a file to the first read alone, and whoever asks for a
    /// single byte first gets a single digit.
    private static long number(String name) {
        try {
            return Long.parseLong(Files.readAllLines(SETTINGS.resolve(name)).getFirst().strip());
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot read " + name, failed);
        }
    }
}

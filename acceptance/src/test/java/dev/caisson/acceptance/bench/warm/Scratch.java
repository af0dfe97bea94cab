package dev.caisson.acceptance.bench.warm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/// Temporary directories, removed at the end.
record Scratch(Path root) implements AutoCloseable {
    static Scratch open() throws IOException {
        return new Scratch(Files.createTempDirectory("caisson-warm-"));
    }

    Path directory() throws IOException {
        return Files.createTempDirectory(root, "data-");
    }

    @Override
    public void close() throws IOException {
        try (var files = Files.walk(root)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}

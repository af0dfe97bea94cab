package dev.caisson.config;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/// Version of the product, as the build wrote it.
public final class Version {
    public static final String TEXT = read();

    private Version() {}

    private static String read() {
        try (var stream = Version.class.getResourceAsStream("version.txt")) {
            if (stream == null) {
                throw new IllegalStateException("version.txt is missing from the class path");
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}

package dev.caisson.cli;

import java.nio.file.Path;
import java.util.Optional;

/// The data directory that a command changes.
///
/// @param served whether a running server uses it, or the database that it names
public record DataUse(Path directory, boolean served) {
    public DataUse {
        directory = directory.toAbsolutePath().normalize();
    }

    String line() {
        return "Data directory: " + directory + ".";
    }

    /// A change that no server sees is mostly one in the wrong directory.
    Optional<String> warning() {
        return served
                ? Optional.empty()
                : Optional.of(
                        "No server uses this data directory now. If yours runs with another one, name"
                                + " it with --data.");
    }
}

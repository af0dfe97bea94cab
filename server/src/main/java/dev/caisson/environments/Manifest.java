package dev.caisson.environments;

import dev.caisson.json.Json;
import dev.caisson.json.Records;
import dev.caisson.sandbox.PackageEnvironment;
import dev.caisson.sandbox.PackageEnvironment.Item;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Manifest of an environment, `manifest.json` in its directory: what is in it and what it was made
/// from.
///
/// @param python the version its Python packages are for
/// @param resolved every package with the hash of its file: a lock without hashes, made one
/// @param locked the lock as it was given, for another machine
public record Manifest(
        Optional<String> python,
        boolean node,
        List<Item> packages,
        List<String> preload,
        String resolved,
        Locked locked,
        long bytes,
        long files,
        String bakedAt) {
    static final String FILE = "manifest.json";

    /// The lock as it was given.
    public record Locked(Optional<String> python, Optional<String> node) {}

    static Optional<Manifest> in(Path directory) {
        try {
            var text = Files.readAllBytes(directory.resolve(FILE));
            return Optional.of(Records.read(Json.parse(text), Manifest.class));
        } catch (IOException | RuntimeException none) {
            return Optional.empty();
        }
    }

    /// Writes it into the tree of what it describes.
    void into(Path tree) throws IOException {
        var writable = PosixFilePermissions.fromString("rwxr-xr-x");
        Files.setPosixFilePermissions(tree, writable);
        Files.writeString(tree.resolve(Manifest.FILE), Json.pretty(Records.tree(this)));
    }

    Lock lock() {
        return new Lock(locked.python(), locked.node(), preload);
    }

    PackageEnvironment environment(String name, String hash, Path directory) {
        return new PackageEnvironment(
                name,
                hash,
                directory,
                python,
                node,
                packages,
                preload,
                bytes,
                Instant.parse(bakedAt));
    }
}

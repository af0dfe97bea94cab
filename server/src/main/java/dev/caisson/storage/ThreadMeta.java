package dev.caisson.storage;

import dev.caisson.call.Caller;
import dev.caisson.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.core.JacksonException;

/// Description of a thread for a person who looks into the data directory, in a file `meta.json`
/// beside its files. The server itself never reads it.
///
/// ```
/// {"id": "…", "owner": "key_…", "owner_name": "…", "last_used": "2026-01-01T12:00:00Z"}
/// ```
///
/// @param place the name of its directory
/// @param owner the id of the caller it belongs to
/// @param lastUsed when an execution last began or ended there, or a file was put, as text
public record ThreadMeta(String place, String id, String owner, String ownerName, String lastUsed) {
    static final String FILE = "meta.json";

    /// Replaces the file in one step.
    static void write(Path directory, Caller caller, String threadId) throws IOException {
        var tree = Json.object().put("id", threadId).put("owner", caller.id());
        tree.put("owner_name", caller.name()).put("last_used", Instant.now().toString());
        var draft = directory.resolve(".meta-" + UUID.randomUUID());
        try {
            Files.writeString(Files.createFile(draft, OwnerOnly.FILE), Json.text(tree));
            Files.move(draft, directory.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    /// @return empty when there is none that can be read
    static Optional<ThreadMeta> read(Path directory) throws IOException {
        try {
            var tree = Json.parse(Files.readString(directory.resolve(FILE)));
            return Optional.of(
                    new ThreadMeta(
                            String.valueOf(directory.getFileName()),
                            tree.path("id").asString(""),
                            tree.path("owner").asString(""),
                            tree.path("owner_name").asString(""),
                            tree.path("last_used").asString("")));
        } catch (NoSuchFileException | JacksonException none) {
            return Optional.empty();
        }
    }
}

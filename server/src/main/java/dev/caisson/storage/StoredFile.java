package dev.caisson.storage;

import dev.caisson.call.Digests;
import dev.caisson.linux.Node;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;

/// Metadata of a file in a thread or a volume, as it was when it was looked at.
///
/// @param size of a regular file; 0 of everything else
/// @param identity what the file system calls it
public record StoredFile(
        FilePath path, FileKind kind, long size, Instant modified, String identity) {
    private static final int TAG_LENGTH = 24;

    public static StoredFile of(FilePath path, Node node) {
        return new StoredFile(
                path,
                FileKind.of(node),
                node.isFile() ? node.size() : 0,
                node.modified(),
                WorkspaceFile.identity(node));
    }

    /// Changes when the file does.
    public String tag() {
        var text = identity + " " + size + " " + modified;
        return Digests.sha256Hex(text.getBytes(StandardCharsets.UTF_8)).substring(0, TAG_LENGTH);
    }

    public boolean isDirectory() {
        return kind == FileKind.DIRECTORY;
    }

    /// A guess by the name; absent for what cannot be read.
    public Optional<String> mediaType() {
        return kind == FileKind.FILE ? Optional.of(MediaTypes.of(path.name())) : Optional.empty();
    }
}

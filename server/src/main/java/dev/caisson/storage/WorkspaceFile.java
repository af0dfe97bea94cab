package dev.caisson.storage;

import java.nio.file.Path;
import java.time.Instant;

/// A regular file of a workspace, as it was when the workspace was walked.
///
/// @param path from the root of the workspace, with the bytes of its names as they are
/// @param identity what the file system calls it; another file under the same name has another one
public record WorkspaceFile(Path path, long size, Instant modified, String identity) {
    public String name() {
        return path.getFileName().toString();
    }

    public String mimeType() {
        return MediaTypes.of(name());
    }
}

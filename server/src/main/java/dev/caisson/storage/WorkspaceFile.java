package dev.caisson.storage;

import dev.caisson.linux.Node;
import java.time.Instant;

/// A regular file of a workspace, as it was when the workspace was walked.
///
/// @param identity what the file system calls it; another file under the same name has another one
public record WorkspaceFile(FilePath path, long size, Instant modified, String identity) {
    static WorkspaceFile of(FilePath path, Node node) {
        return new WorkspaceFile(path, node.size(), node.modified(), identity(node));
    }

    static String identity(Node node) {
        return Long.toHexString(node.device()) + ":" + node.inode();
    }

    public String name() {
        return path.name();
    }

    public String mimeType() {
        return MediaTypes.of(name());
    }
}

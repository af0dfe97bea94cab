package dev.caisson.storage.change;

import dev.caisson.json.Json;
import dev.caisson.linux.Errno;
import dev.caisson.linux.KernelException;
import dev.caisson.linux.Node;
import dev.caisson.linux.UntrustedDirectory;
import dev.caisson.storage.FilePath;
import dev.caisson.storage.tree.PathText;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Step of a change: one file gets its new content, or goes. It can be undone, because what was
/// there is kept under another name beside it.
///
/// @param aside the name of the new content before the step, and of the old one behind it
/// @param version of the new content, once it is written; absent for a file that goes
record ChangeStep(FilePath path, String aside, boolean removes, Optional<String> version) {
    /// @param draft the new content
    ChangeStep written(Node draft) {
        return new ChangeStep(path, aside, removes, Optional.of(version(draft)));
    }

    /// Numbers of files are used again, so time and size count too.
    private static String version(Node node) {
        return node.inode() + " " + node.size() + " " + node.modified();
    }

    UntrustedDirectory directory(UntrustedDirectory root) {
        return root.enter(path.parent().orElseThrow().bytes());
    }

    byte[] asideBytes() {
        return PathText.bytes(aside);
    }

    void take(UntrustedDirectory root) {
        try (var directory = directory(root)) {
            if (removes) {
                directory.renameToFree(path.nameBytes(), asideBytes());
            } else if (isThere(directory, path.nameBytes())) {
                requireNoDirectory(directory);
                directory.exchange(asideBytes(), path.nameBytes());
            } else {
                directory.renameToFree(asideBytes(), path.nameBytes());
            }
        }
    }

    private void requireNoDirectory(UntrustedDirectory directory) {
        if (directory.look(path.nameBytes()).isDirectory()) {
            throw new KernelException("rename", Errno.EISDIR);
        }
    }

    /// Gives the file back what it had, if the step was taken and nobody wrote it anew since.
    void undo(UntrustedDirectory root) {
        try (var directory = directory(root)) {
            boolean kept = isThere(directory, asideBytes());
            if (removes) {
                if (kept) {
                    directory.renameToFree(asideBytes(), path.nameBytes());
                }
            } else if (isNew(directory)) {
                if (kept) {
                    directory.exchange(asideBytes(), path.nameBytes());
                } else {
                    directory.renameToFree(path.nameBytes(), asideBytes());
                }
            }
        }
    }

    /// Removes what is under the other name.
    void clear(UntrustedDirectory root) {
        try (var directory = directory(root)) {
            directory.removeFile(asideBytes());
        }
    }

    private boolean isNew(UntrustedDirectory directory) {
        try {
            var node = directory.look(path.nameBytes());
            return node.isFile() && version.equals(Optional.of(version(node)));
        } catch (KernelException absent) {
            return false;
        }
    }

    private static boolean isThere(UntrustedDirectory directory, byte[] name) {
        try {
            directory.look(name);
            return true;
        } catch (KernelException absent) {
            return false;
        }
    }

    ObjectNode json() {
        var tree = Json.object().put("path", path.text()).put("aside", aside);
        tree.put("removes", removes);
        version.ifPresent(text -> tree.put("version", text));
        return tree;
    }

    static ChangeStep of(JsonNode tree) {
        return new ChangeStep(
                new FilePath(tree.path("path").stringValue()),
                tree.path("aside").stringValue(),
                tree.path("removes").booleanValue(),
                tree.path("version").stringValueOpt());
    }
}

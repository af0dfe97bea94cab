package dev.caisson.storage;

import dev.caisson.linux.Errno;
import dev.caisson.linux.KernelException;
import dev.caisson.linux.UntrustedDirectory;
import java.io.IOException;

/// Removes something from a hostile tree.
final class Removal {
    private Removal() {}

    /// @return how many files and directories are gone
    static long of(UntrustedDirectory root, FilePath path, boolean recursive, Expected expected)
            throws IOException {
        if (path.isRoot()) {
            requireNoFile(expected);
            return recursive ? Erasure.empty(root) : refuseFull(root);
        }
        try (var directory = root.enter(path.parent().orElseThrow().bytes())) {
            var name = path.nameBytes();
            expected.require(directory, path);
            if (!directory.look(name).isDirectory()) {
                directory.removeFile(name);
                return 1;
            }
            return directory(directory, name, recursive);
        }
    }

    /// The root is no file, whatever it was expected to hold.
    private static void requireNoFile(Expected expected) {
        if (!(expected instanceof Expected.Anything)) {
            throw new KernelException("unlink", Errno.EINVAL);
        }
    }

    private static long directory(UntrustedDirectory parent, byte[] name, boolean recursive)
            throws IOException {
        var removed = 0L;
        if (recursive) {
            try (var doomed = parent.enter(name)) {
                removed = Erasure.empty(doomed);
            }
        }
        parent.removeDirectory(name);
        return removed + 1;
    }

    private static long refuseFull(UntrustedDirectory root) throws IOException {
        if (!root.names(_ -> false)) {
            throw new KernelException("rmdir", Errno.ENOTEMPTY);
        }
        return 0;
    }
}

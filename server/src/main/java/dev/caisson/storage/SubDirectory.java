package dev.caisson.storage;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.linux.Errno;
import dev.caisson.linux.KernelException;
import dev.caisson.linux.UntrustedDirectory;
import dev.caisson.sandbox.Workspace;
import java.nio.file.Path;

/// A directory of a thread or a volume that a run sees in place of the whole. No link on the way to
/// it is followed, neither here nor when it is attached.
public final class SubDirectory {
    private SubDirectory() {}

    /// @param whole what it is a part of
    /// @param root where the server finds the files of the whole
    /// @param path the root means the whole
    /// @param create whether directories that are not there are made
    /// @throws Refusal NOT_FOUND when there is none and none is made, INVALID_ARGUMENT when
    ///   something else has its name
    public static Workspace of(Workspace whole, Path root, FilePath path, boolean create) {
        if (path.isRoot()) {
            return whole;
        }
        try (var start = UntrustedDirectory.open(root)) {
            require(start, path, create);
        }
        return new Workspace.Part(whole, path.bytes());
    }

    /// Looks at every directory on the way, and makes it where it is absent.
    private static void require(UntrustedDirectory start, FilePath path, boolean create) {
        var parent = path.parent().orElseThrow();
        if (!parent.isRoot()) {
            require(start, parent, create);
        }
        try (var directory = start.enter(parent.isRoot() ? new byte[0] : parent.bytes())) {
            if (create) {
                directory.makeDirectory(path.nameBytes());
            }
            directory.enter(path.nameBytes()).close();
        } catch (KernelException failed) {
            throw refusal(path, failed);
        }
    }

    private static RuntimeException refusal(FilePath path, KernelException failed) {
        if (failed.errno() == Errno.ENOENT) {
            return new Refusal(
                    Reason.NOT_FOUND,
                    "sub_paths: there is no directory " + path + " in what is mounted read-only.");
        }
        return failed.errno() == Errno.ENOTDIR || failed.errno() == Errno.ELOOP
                ? new Refusal(
                        Reason.INVALID_ARGUMENT,
                        "sub_paths: " + path + " is not a directory, or a link.")
                : FileErrors.refusal(path, failed);
    }
}

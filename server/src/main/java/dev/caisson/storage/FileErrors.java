package dev.caisson.storage;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.linux.KernelException;
import java.io.IOException;
import java.io.UncheckedIOException;

/// Refusals by errno: why the kernel did not do something with a file of a caller's, in words for
/// the caller.
final class FileErrors {
    private static final String FULL =
            "There is no room left: the storage is full in bytes or in files. Delete something"
                    + " first.";

    /// What a file system in a file gives when the disk below it is full.
    private static final String HOST =
            "The server's disk does not take what is written, for it is full or broken. Nothing was"
                    + " stored; try again when that is fixed.";

    private FileErrors() {}

    static RuntimeException refusal(FilePath path, KernelException failed) {
        return switch (failed.errno()) {
            case ENOENT, ENOTDIR, ELOOP, EXDEV -> absent(path, "there is nothing of that name");
            case EINVAL, ENXIO, ENODEV -> absent(path, "it is not a regular file");
            case EISDIR -> wrong(path, "is a directory");
            case ENOTEMPTY -> wrong(path, "is a directory that is not empty: ask for recursive");
            case EEXIST -> wrong(path, "is there already");
            case ENAMETOOLONG -> wrong(path, "is too long");
            case EACCES, EPERM ->
                    new Refusal(Reason.FORBIDDEN, "The server may not use " + path + ".");
            case ENOSPC, EFBIG -> new Refusal(Reason.TOO_LARGE, FULL);
            case EIO, EROFS -> new Refusal(Reason.UNAVAILABLE, HOST);
            default -> failed;
        };
    }

    /// A channel says only in words why it could not write.
    static RuntimeException thrown(IOException failed) {
        var message = String.valueOf(failed.getMessage());
        if (message.contains("No space left") || message.contains("File too large")) {
            return new Refusal(Reason.TOO_LARGE, FULL);
        }
        return message.contains("Input/output error") || message.contains("Read-only file system")
                ? new Refusal(Reason.UNAVAILABLE, HOST)
                : new UncheckedIOException("a file cannot be used", failed);
    }

    private static Refusal absent(FilePath path, String why) {
        var name = path.isRoot() ? "the root" : path.text();
        return new Refusal(Reason.NOT_FOUND, "Cannot use " + name + ": " + why + ".");
    }

    private static Refusal wrong(FilePath path, String why) {
        return new Refusal(Reason.INVALID_ARGUMENT, path + " " + why + ".");
    }
}

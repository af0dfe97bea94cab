package dev.caisson.storage;

import dev.caisson.call.Caller;
import dev.caisson.call.Digests;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;

/// Names of directories, made of a caller and its handle: a hash of both. No text of a caller ever
/// becomes part of a path, and two callers with the same handle never meet.
public final class HashedNames {
    private HashedNames() {}

    public static String directoryName(Caller caller, String handle) {
        return directoryName(caller.id(), handle);
    }

    public static String directoryName(String callerId, String handle) {
        var owner = callerId.getBytes(StandardCharsets.UTF_8);
        var digest = Digests.sha256();
        digest.update((owner.length + ":").getBytes(StandardCharsets.UTF_8));
        digest.update(owner);
        digest.update(handle.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(digest.digest());
    }

    /// A directory nobody but the server can look into, with those above it. Mostly it is there
    /// already, and looking is cheaper than making it in vain.
    public static Path privateDirectory(Path directory) throws IOException {
        if (Files.isDirectory(directory)) {
            return directory;
        }
        return Files.createDirectories(
                directory,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
}

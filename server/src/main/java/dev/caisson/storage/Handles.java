package dev.caisson.storage;

import dev.caisson.call.Caller;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// How a handle of a caller becomes the name of a directory: a hash of both. No text of a caller
/// ever becomes part of a path, and two callers with the same handle never meet.
final class Handles {
    private Handles() {}

    static String directoryName(Caller caller, String handle) {
        return directoryName(caller.id(), handle);
    }

    static String directoryName(String callerId, String handle) {
        var owner = callerId.getBytes(StandardCharsets.UTF_8);
        var digest = sha256();
        digest.update((owner.length + ":").getBytes(StandardCharsets.UTF_8));
        digest.update(owner);
        digest.update(handle.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(digest.digest());
    }

    static String hash(byte[] bytes) {
        return HexFormat.of().formatHex(sha256().digest(bytes));
    }

    /// A directory nobody but the server can look into, with those above it. Mostly it is there
    /// already, and looking is cheaper than making it in vain.
    static Path privateDirectory(Path directory) throws IOException {
        if (Files.isDirectory(directory)) {
            return directory;
        }
        return Files.createDirectories(
                directory,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}

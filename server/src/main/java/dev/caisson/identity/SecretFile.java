package dev.caisson.identity;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Set;
import java.util.UUID;

/// Secret file of the data directory: random bytes that its owner alone can read. It protects what
/// we hand out and want back unchanged, also after a restart.
public final class SecretFile {
    static final int BYTES = 32;

    private SecretFile() {}

    /// Reads the secret and makes it first if there is none. Of several processes that do so at the
    /// same time, all get the same bytes.
    ///
    /// @throws Refusal UNAVAILABLE when the file is not one of ours
    public static byte[] read(Path file) {
        try {
            if (!Files.exists(file)) {
                create(file);
            }
            var bytes = Files.readAllBytes(file);
            if (bytes.length != BYTES) {
                throw new Refusal(
                        Reason.UNAVAILABLE,
                        "The secret "
                                + file
                                + " must have "
                                + BYTES
                                + " bytes, has "
                                + bytes.length
                                + ". Restore it from a backup, or delete it to get a new one.");
            }
            return bytes;
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot read or make the secret " + file, failure);
        }
    }

    /// Writes the bytes aside and links them to their name in one step, which fails when somebody
    /// else was faster: a reader never sees half a secret.
    private static void create(Path file) throws IOException {
        var aside = file.resolveSibling(file.getFileName() + "." + UUID.randomUUID());
        try {
            write(aside);
            Files.createLink(file, aside);
        } catch (FileAlreadyExistsException _) {
            return;
        } finally {
            Files.deleteIfExists(aside);
        }
    }

    private static void write(Path aside) throws IOException {
        var bytes = new byte[BYTES];
        new SecureRandom().nextBytes(bytes);
        var ownerOnly =
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        try (var channel =
                FileChannel.open(
                        aside,
                        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                        ownerOnly)) {
            channel.write(ByteBuffer.wrap(bytes));
            channel.force(true);
        }
    }
}

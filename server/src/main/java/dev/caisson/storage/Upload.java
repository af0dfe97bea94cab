package dev.caisson.storage;

import dev.caisson.call.Digests;
import dev.caisson.linux.Errno;
import dev.caisson.linux.KernelException;
import dev.caisson.linux.UntrustedDirectory;
import dev.caisson.share.CallerWorkers;
import dev.caisson.storage.tree.PathText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.Lock;

/// A file that is being received. It has a name of its own until it is complete; then it is made
/// durable and takes its name in one step. When it is closed before that, nothing is left of it.
public final class Upload implements AutoCloseable {
    /// Takes a few milliseconds at most.
    private static final int HASHED_AT_ONCE = 1024 * 1024;

    private final UntrustedDirectory directory;
    private final FilePath path;
    private final byte[] draft;
    private final FileChannel channel;
    private final Expected expected;
    private final Lock changes;
    private final CallerWorkers computing;
    private final FileMeter meter;
    private final boolean flushed;
    private final MessageDigest digest = Digests.sha256();
    private long bytes;
    private boolean done;

    private Upload(
            UntrustedDirectory directory,
            FilePath path,
            byte[] draft,
            FileChannel channel,
            Expected expected,
            Lock changes,
            CallerWorkers computing,
            FileMeter meter,
            boolean flushed) {
        this.flushed = flushed;
        this.computing = computing;
        this.meter = meter;
        this.directory = directory;
        this.path = path;
        this.draft = draft;
        this.channel = channel;
        this.expected = expected;
        this.changes = changes;
    }

    /// @param form absent for a file that is made durable
    static Upload begin(
            UntrustedDirectory root,
            FilePath path,
            Expected expected,
            Lock changes,
            CallerWorkers computing,
            FileMeter meter,
            Optional<Rewrite> form)
            throws IOException, InterruptedException {
        var directory = parent(root, path);
        try {
            if (isDirectory(directory, path)) {
                throw new KernelException("open", Errno.EISDIR);
            }
            expected.require(directory, path, computing);
            var draft = (".upload-" + UUID.randomUUID()).getBytes(StandardCharsets.US_ASCII);
            var channel =
                    form.flatMap(Rewrite::permissions).isPresent()
                            ? directory.create(draft, form.flatMap(Rewrite::permissions).get())
                            : directory.create(draft);
            return new Upload(
                    directory,
                    path,
                    draft,
                    channel,
                    expected,
                    changes,
                    computing,
                    meter,
                    form.isEmpty());
        } catch (IOException | InterruptedException | RuntimeException failed) {
            directory.close();
            throw failed;
        }
    }

    /// How a file is written again that an agent works on: it survives the end of the process as
    /// what a program writes does, and is not flushed.
    ///
    /// @param permissions of the file before
    record Rewrite(Optional<Integer> permissions) {}

    private static boolean isDirectory(UntrustedDirectory directory, FilePath path) {
        try {
            return directory.look(path.nameBytes()).isDirectory();
        } catch (KernelException absent) {
            return false;
        }
    }

    /// The directory the file belongs in, with those above it.
    private static UntrustedDirectory parent(UntrustedDirectory root, FilePath path) {
        var at = root.enter(new byte[0]);
        for (var name : path.parent().orElseThrow().text().split("/", -1)) {
            if (name.isEmpty()) {
                continue;
            }
            try (var above = at) {
                above.makeDirectory(PathText.bytes(name));
                at = above.enter(PathText.bytes(name));
            }
        }
        return at;
    }

    /// @throws dev.caisson.call.Refusal TOO_LARGE when there is no room left
    public void write(ByteBuffer part) {
        try {
            hash(part.duplicate());
            while (part.hasRemaining()) {
                bytes += channel.write(part);
            }
        } catch (IOException e) {
            throw FileErrors.thrown(e);
        }
    }

    /// On the threads that compute, in the turns of whoever sends the file.
    private void hash(ByteBuffer part) {
        while (part.hasRemaining()) {
            var slice = part.slice(part.position(), Math.min(part.remaining(), HASHED_AT_ONCE));
            computing.get(() -> {
                digest.update(slice);
                return slice;
            });
            part.position(part.position() + slice.limit());
        }
    }

    public long bytes() {
        return bytes;
    }

    /// What was stored.
    ///
    /// @param hash see [ContentHash]
    /// @param replaced whether something had its name before
    public record Stored(StoredFile file, String hash, boolean replaced) {}

    /// Gives the file its name; from then on it is there, also after the machine lost power unless
    /// it was a rewrite.
    ///
    /// @throws dev.caisson.call.Refusal CHANGED when something else has the name meanwhile than was
    ///   expected
    public Stored commit() throws InterruptedException {
        try {
            if (flushed) {
                channel.force(true);
            }
            var replaced = takeName();
            if (flushed) {
                flushName();
            }
            meter.wrote(bytes);
            return new Stored(
                    StoredFile.of(path, directory.look(path.nameBytes())),
                    ContentHash.of(digest),
                    replaced);
        } catch (KernelException e) {
            throw FileErrors.refusal(path, e);
        } catch (IOException e) {
            throw FileErrors.thrown(e);
        }
    }

    private void flushName() throws IOException {
        try (var self = FileChannel.open(directory.path(), StandardOpenOption.READ)) {
            self.force(true);
        }
    }

    /// @return whether something had it
    private boolean takeName() throws IOException, InterruptedException {
        changes.lockInterruptibly();
        try {
            expected.require(directory, path, computing);
            var replaced = isThere();
            directory.rename(draft, path.nameBytes());
            done = true;
            return replaced;
        } finally {
            changes.unlock();
        }
    }

    private boolean isThere() {
        try {
            directory.look(path.nameBytes());
            return true;
        } catch (KernelException absent) {
            return false;
        }
    }

    @Override
    public void close() {
        try (directory) {
            channel.close();
            if (!done) {
                directory.removeFile(draft);
            }
        } catch (KernelException gone) {
            return;
        } catch (IOException e) {
            throw new UncheckedIOException("an upload cannot be closed", e);
        }
    }
}

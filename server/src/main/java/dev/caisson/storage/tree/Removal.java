package dev.caisson.storage.tree;

import dev.caisson.linux.Errno;
import dev.caisson.linux.KernelException;
import dev.caisson.linux.UntrustedDirectory;
import dev.caisson.share.CallerWorkers;
import dev.caisson.storage.Erasure;
import dev.caisson.storage.Expected;
import dev.caisson.storage.FilePath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.concurrent.locks.Lock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Removal from a hostile tree. A directory with its files takes long, in turns with other callers,
/// so it only loses its name while other changes are held up; its files are erased afterwards.
public final class Removal {
    private static final Logger LOG = LoggerFactory.getLogger(Removal.class);

    private final UntrustedDirectory root;
    private final Lock changes;
    private final CallerWorkers computing;

    /// @param changes held while something is compared and loses its name
    public Removal(UntrustedDirectory root, Lock changes, CallerWorkers computing) {
        this.root = root;
        this.changes = changes;
        this.computing = computing;
    }

    /// @return how many files and directories are gone
    public long remove(FilePath path, boolean recursive, Expected expected)
            throws IOException, InterruptedException {
        if (path.isRoot()) {
            requireNoFile(expected);
            return recursive ? empty(root) : refuseFull();
        }
        try (var parent = root.enter(path.parent().orElseThrow().bytes())) {
            var name = path.nameBytes();
            var detached = name;
            changes.lockInterruptibly();
            try {
                expected.require(parent, path, computing);
                if (!parent.look(name).isDirectory()) {
                    parent.removeFile(name);
                    return 1;
                }
                if (!recursive) {
                    parent.removeDirectory(name);
                    return 1;
                }
                detached = detach(parent, name);
            } finally {
                changes.unlock();
            }
            return erase(parent, name, detached);
        }
    }

    /// The root is no file, whatever it was expected to hold.
    private static void requireNoFile(Expected expected) {
        if (!(expected instanceof Expected.Anything)) {
            throw new KernelException("unlink", Errno.EINVAL);
        }
    }

    /// Takes its name from a directory.
    ///
    /// @return the name it has now: the same one where the storage has no room for another
    private static byte[] detach(UntrustedDirectory parent, byte[] name) {
        var detached = (".removed-" + UUID.randomUUID()).getBytes(StandardCharsets.US_ASCII);
        try {
            parent.rename(name, detached);
            return detached;
        } catch (KernelException failed) {
            if (failed.errno() == Errno.ENOSPC) {
                return name;
            }
            throw failed;
        }
    }

    private long erase(UntrustedDirectory parent, byte[] name, byte[] detached)
            throws IOException, InterruptedException {
        try (var directory = parent.enter(detached)) {
            var removed = empty(directory);
            parent.removeDirectory(detached);
            return removed + 1;
        } catch (IOException | InterruptedException | RuntimeException failed) {
            attachAgain(parent, name, detached);
            throw failed;
        }
    }

    /// What could not be erased is found where it was, unless something else is there by now.
    private static void attachAgain(UntrustedDirectory parent, byte[] name, byte[] detached) {
        try {
            parent.rename(detached, name);
        } catch (KernelException taken) {
            LOG.debug("what is left of a removal keeps its new name", taken);
        }
    }

    private long empty(UntrustedDirectory directory) throws IOException, InterruptedException {
        try (var erasure = Erasure.begin(directory)) {
            computing.runAll(erasure::next);
            return erasure.removed();
        }
    }

    private long refuseFull() throws IOException {
        if (!root.names(_ -> false)) {
            throw new KernelException("rmdir", Errno.ENOTEMPTY);
        }
        return 0;
    }
}

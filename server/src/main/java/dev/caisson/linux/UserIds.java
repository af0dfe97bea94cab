package dev.caisson.linux;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;
import java.util.Optional;

/// Ids of users that exist for sandboxes alone: each live sandbox has one of its own, and no two
/// servers on the machine hand out the same, because every id in use is locked by a file. The
/// kernel lets go of a lock when its holder dies.
public final class UserIds {
    private final Path locks;
    private final int base;
    private final int count;
    private final BitSet taken = new BitSet();
    private int next;

    /// An id that is one's own until it is closed. Close it only when nothing runs as that user any
    /// more.
    public interface Lease extends AutoCloseable {
        int uid();

        @Override
        void close();
    }

    /// @param locks a directory all servers of this machine share
    /// @param base the first id
    /// @param count how many there are
    public UserIds(Path locks, int base, int count) {
        if (base < 1000 || count < 1 || (long) base + count > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "%d ids from %d on is not a range of ids".formatted(count, base));
        }
        this.locks = locks;
        this.base = base;
        this.count = count;
    }

    /// What this host lacks to run sandboxes as users of their own, and what to do about it.
    public Optional<String> missing() {
        if (!Privileges.has(Privileges.Capability.SETUID, Privileges.Capability.SETGID)) {
            return Optional.of(
                    "This server may not start processes as other users: run it as root.");
        }
        if (Privileges.ids().stream().noneMatch(range -> range.holds(base, count))) {
            return Optional.of(
                    "The user ids %d to %d do not exist in this server's user namespace: map them, or configure a range that exists."
                            .formatted(base, base + count - 1));
        }
        try {
            Files.createDirectories(locks);
            return Files.isWritable(locks) ? Optional.empty() : Optional.of(notWritable());
        } catch (IOException failed) {
            return Optional.of(notWritable());
        }
    }

    private String notWritable() {
        return "User ids cannot be locked in %s: make the directory writable for this server."
                .formatted(locks);
    }

    /// Takes an id nobody on this machine uses. Ids are taken in turn, so that one that was given
    /// back rests as long as possible.
    ///
    /// @throws Refusal `NO_CAPACITY` when all are taken
    public synchronized Lease take() {
        for (int tried = 0; tried < count; tried++) {
            int index = (next + tried) % count;
            if (!taken.get(index)) {
                var lock = tryLock(base + index);
                if (lock.isPresent()) {
                    next = (index + 1) % count;
                    taken.set(index);
                    return new Held(index, lock.get());
                }
            }
        }
        throw new Refusal(
                Reason.NO_CAPACITY,
                "All %d user ids for sandboxes are in use: wait, or configure a larger range."
                        .formatted(count));
    }

    private Optional<FileLock> tryLock(int uid) {
        try {
            Files.createDirectories(locks);
            var channel =
                    FileChannel.open(
                            locks.resolve(uid + ".lock"),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.WRITE);
            var lock = lockNow(channel);
            if (lock.isEmpty()) {
                channel.close();
            }
            return lock;
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot lock user id " + uid, failed);
        }
    }

    /// One that another server in this very process holds is taken too.
    private static Optional<FileLock> lockNow(FileChannel channel) throws IOException {
        try {
            return Optional.ofNullable(channel.tryLock());
        } catch (OverlappingFileLockException taken) {
            return Optional.empty();
        }
    }

    private synchronized void giveBack(int index, FileLock lock) {
        try {
            lock.acquiredBy().close();
            taken.clear(index);
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot unlock user id " + (base + index), failed);
        }
    }

    private final class Held implements Lease {
        private final int index;
        private final FileLock lock;
        private boolean closed;

        Held(int index, FileLock lock) {
            this.index = index;
            this.lock = lock;
        }

        @Override
        public int uid() {
            return base + index;
        }

        @Override
        public synchronized void close() {
            if (!closed) {
                closed = true;
                giveBack(index, lock);
            }
        }
    }
}

package dev.caisson.linux;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.linux.calls.Privileges;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.Set;

/// Pool of user ids that exist for sandboxes alone: each live sandbox has one of its own, and no
/// two servers on the machine hand out the same, because every id in use is locked by a file. The
/// kernel lets go of a lock when its holder dies.
///
/// The id that has rested longest comes first: what the kernel still counts for a user, or somebody
/// still watches, is as old as it can be when the id is used again.
public final class UserIds {
    private final Path locks;
    private final int base;
    private final int count;
    private boolean made;
    private int neverTaken;
    private int inUse;

    /// Those that were given back, the longest rested first.
    private final Deque<Integer> resting = new ArrayDeque<>();

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
    public synchronized Optional<String> missing() {
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
            makeDirectory();
            return Files.isWritable(locks) ? Optional.empty() : Optional.of(notWritable());
        } catch (IOException failed) {
            return Optional.of(notWritable());
        }
    }

    private String notWritable() {
        return "User ids cannot be locked in %s: make the directory writable for this server."
                .formatted(locks);
    }

    /// Takes the longest rested id that nobody on this machine uses.
    ///
    /// @throws Refusal `NO_CAPACITY` when all are taken
    public synchronized Lease take() {
        for (int tries = count - neverTaken + resting.size(); tries > 0; tries--) {
            int uid = neverTaken < count ? base + neverTaken++ : resting.remove();
            var lock = Optional.<FileLock>empty();
            try {
                lock = tryLock(uid);
            } finally {
                if (lock.isEmpty()) {
                    resting.add(uid);
                }
            }
            if (lock.isPresent()) {
                inUse++;
                return new Held(uid, lock.get());
            }
        }
        throw new Refusal(
                Reason.NO_CAPACITY,
                "All %d user ids for sandboxes are in use: wait, or configure a larger range."
                        .formatted(count));
    }

    /// How many are taken here now.
    public synchronized int inUse() {
        return inUse;
    }

    private Optional<FileLock> tryLock(int uid) {
        try {
            makeDirectory();
            var channel =
                    FileChannel.open(
                            locks.resolve(uid + ".lock"),
                            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                            PosixFilePermissions.asFileAttribute(
                                    PosixFilePermissions.fromString("rw-------")));
            var lock = Optional.<FileLock>empty();
            try {
                lock = lockNow(channel);
                return lock;
            } finally {
                if (lock.isEmpty()) {
                    channel.close();
                }
            }
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot lock user id " + uid, failed);
        }
    }

    /// A process that can open a lock file can lock it, and so take the id: only the server can.
    private void makeDirectory() throws IOException {
        if (!made || Files.notExists(locks)) {
            Files.createDirectories(locks);
            Files.setPosixFilePermissions(locks, PosixFilePermissions.fromString("rwx------"));
            made = true;
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

    private synchronized void giveBack(int uid, FileLock lock) {
        try {
            lock.acquiredBy().close();
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot unlock user id " + uid, failed);
        } finally {
            resting.add(uid);
            inUse--;
        }
    }

    private final class Held implements Lease {
        private final int uid;
        private final FileLock lock;
        private boolean closed;

        Held(int uid, FileLock lock) {
            this.uid = uid;
            this.lock = lock;
        }

        @Override
        public int uid() {
            return uid;
        }

        @Override
        public synchronized void close() {
            if (!closed) {
                closed = true;
                giveBack(uid, lock);
            }
        }
    }
}

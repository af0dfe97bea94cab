package dev.caisson.environments;

import dev.caisson.sandbox.PackageEnvironment;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Directory of environments: one directory for each hash, which appears whole or not at all and
/// never changes. Below `.work` is what bakes have under way, and a lock for each hash, which the
/// kernel gives back when its holder ends, however it ends.
final class EnvironmentStore {
    private static final Logger LOG = LoggerFactory.getLogger(EnvironmentStore.class);
    private static final long LOOK_AGAIN_MILLIS = 50;
    private static final String HASH = "[0-9a-f]{64}";

    private final Path root;
    private final Path work;
    private final Map<String, ReentrantLock> here = new ConcurrentHashMap<>();
    private final AtomicLong count = new AtomicLong();

    EnvironmentStore(Path root) {
        this.root = root;
        this.work = root.resolve(".work");
    }

    Path directory(String hash) {
        return root.resolve(hash);
    }

    Optional<Manifest> manifest(String hash) {
        return hash.matches(HASH) ? Manifest.in(directory(hash)) : Optional.empty();
    }

    /// What is offered under a name; empty when its files are not here.
    Optional<PackageEnvironment> environment(String name, String hash) {
        return manifest(hash).map(each -> each.environment(name, hash, directory(hash)));
    }

    /// Makes the tree of an environment.
    @FunctionalInterface
    interface Maker {
        /// @param scratch an empty directory, gone afterwards
        /// @param tree is to be made
        void make(Path scratch, Path tree) throws BakeFailed, IOException, InterruptedException;
    }

    /// Makes an environment unless it is there. Of several who make the same, in whichever process,
    /// one does and the others wait for it.
    Manifest make(String hash, Maker maker) throws BakeFailed, IOException, InterruptedException {
        Files.createDirectories(work);
        var mine = here.computeIfAbsent(hash, _ -> new ReentrantLock());
        mine.lockInterruptibly();
        try (var channel = lockFile(hash);
                var _ = lock(channel)) {
            var there = manifest(hash);
            if (there.isPresent()) {
                return there.get();
            }
            removeLeft(hash);
            var scratch = work.resolve(hash + "-" + count.incrementAndGet());
            try {
                Files.createDirectories(scratch.resolve("workspace"));
                var tree = scratch.resolve("tree");
                maker.make(scratch.resolve("workspace"), tree);
                Files.move(tree, directory(hash), StandardCopyOption.ATOMIC_MOVE);
                Files.setPosixFilePermissions(
                        directory(hash), PosixFilePermissions.fromString("r-xr-xr-x"));
            } finally {
                delete(scratch);
            }
            return manifest(hash).orElseThrow(() -> new IOException("no manifest was written"));
        } finally {
            mine.unlock();
        }
    }

    /// A store of this process that is not this one says so by an exception.
    private static FileLock lock(FileChannel channel) throws IOException, InterruptedException {
        while (true) {
            try {
                var taken = channel.tryLock();
                if (taken != null) {
                    return taken;
                }
            } catch (OverlappingFileLockException another) {
                LOG.debug("somebody else bakes the same here");
            }
            Thread.sleep(LOOK_AGAIN_MILLIS);
        }
    }

    private FileChannel lockFile(String hash) throws IOException {
        return FileChannel.open(
                work.resolve(hash + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    /// The environment has no name any more: its time begins.
    void release(String hash, Instant now) throws IOException {
        if (hash.matches(HASH) && Files.isDirectory(directory(hash))) {
            Files.setLastModifiedTime(directory(hash), FileTime.from(now));
        }
    }

    /// Removes what has had no name since a moment, and what killed servers left.
    ///
    /// @return how much
    int sweep(Set<String> named, Instant before) throws IOException {
        int removed = 0;
        for (var directory : in(root)) {
            var name = String.valueOf(directory.getFileName());
            if (name.matches(HASH)
                    && !named.contains(name)
                    && Files.getLastModifiedTime(directory).toInstant().isBefore(before)) {
                delete(directory);
                removed++;
            }
        }
        return removed + removeLeft();
    }

    /// Removes what killed servers left of bakes, and nothing of one that is under way.
    ///
    /// @return of how many
    int removeLeft() throws IOException {
        int removed = 0;
        for (var left : in(work)) {
            var name = String.valueOf(left.getFileName());
            if (name.matches(HASH + "-\\d+")) {
                removed += removeUnlocked(name.substring(0, name.indexOf('-'))) ? 1 : 0;
            }
        }
        return removed;
    }

    private boolean removeUnlocked(String hash) throws IOException {
        var mine = here.computeIfAbsent(hash, _ -> new ReentrantLock());
        if (!mine.tryLock()) {
            return false;
        }
        try (var channel = lockFile(hash);
                var taken = channel.tryLock()) {
            return taken != null && removeLeft(hash) > 0;
        } catch (OverlappingFileLockException another) {
            return false;
        } finally {
            mine.unlock();
        }
    }

    private int removeLeft(String hash) throws IOException {
        int removed = 0;
        for (var left : in(work)) {
            if (String.valueOf(left.getFileName()).startsWith(hash + "-")) {
                delete(left);
                removed++;
            }
        }
        return removed;
    }

    private static List<Path> in(Path directory) throws IOException {
        var all = new ArrayList<Path>();
        if (Files.isDirectory(directory)) {
            try (var entries = Files.newDirectoryStream(directory)) {
                entries.forEach(all::add);
            }
        }
        return all;
    }

    private static void delete(Path tree) throws IOException {
        if (!Files.exists(tree, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Files.walkFileTree(
                tree,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(
                            Path directory, BasicFileAttributes attributes) throws IOException {
                        Files.setPosixFilePermissions(
                                directory, PosixFilePermissions.fromString("rwx------"));
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        Files.delete(file);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(Path directory, IOException failure)
                            throws IOException {
                        if (failure != null) {
                            throw failure;
                        }
                        Files.delete(directory);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }
}

package dev.caisson.linux;

import dev.caisson.linux.calls.Kernel;
import dev.caisson.linux.calls.PathCalls;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicBoolean;

/// Untrusted directory, in which no name and no link is believed, held by its descriptor: the one
/// way in which the server touches what a program left.
///
/// Whatever lies below, and however it changes meanwhile, no link is followed, no way leads out,
/// and nothing but a regular file is read: it is opened without waiting for anybody, and what was
/// opened is looked at before a byte is taken. A path is bytes, names separated by slashes; the
/// empty one is the directory itself. Every failure is a [KernelException].
public final class UntrustedDirectory implements AutoCloseable {
    private static final byte[] HERE = {'.'};
    private static final int FILE_MODE = 0644;
    private static final int DIRECTORY_MODE = 0755;

    private final int descriptor;
    private final AtomicBoolean open = new AtomicBoolean(true);

    private UntrustedDirectory(int descriptor) {
        this.descriptor = descriptor;
    }

    /// @param ours a path of the server's own; it may be a descriptor's, such as `/proc/self/fd/7`
    public static UntrustedDirectory open(Path ours) {
        try (var arena = Arena.ofConfined()) {
            return new UntrustedDirectory(
                    new Kernel(arena).open(ours.toString(), PathCalls.O_DIRECTORY));
        }
    }

    /// What a path stands for, be it a link or anything else.
    public Node look(byte[] path) {
        try (var calls = new PathCalls()) {
            return isOneName(path)
                    ? calls.lookHere(descriptor, path)
                    : lookBelow(calls, here(path));
        }
    }

    private Node lookBelow(PathCalls calls, byte[] path) {
        int found = calls.open(descriptor, path, PathCalls.O_PATH | PathCalls.O_NOFOLLOW, 0);
        try {
            return calls.look(found);
        } finally {
            calls.kernel().closeNow(found);
        }
    }

    public UntrustedDirectory enter(byte[] path) {
        try (var calls = new PathCalls()) {
            return new UntrustedDirectory(
                    calls.open(
                            descriptor,
                            here(path),
                            PathCalls.O_DIRECTORY | PathCalls.O_NONBLOCK,
                            0));
        }
    }

    /// A regular file that was opened, and what was opened.
    public record Opened(FileChannel channel, Node node) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    /// Opens a regular file for reading.
    ///
    /// @throws KernelException EINVAL when it is anything else
    public Opened read(byte[] path) throws IOException {
        try (var calls = new PathCalls()) {
            return opened(
                    calls,
                    calls.open(descriptor, here(path), Kernel.O_RDONLY | PathCalls.O_NONBLOCK, 0));
        }
    }

    /// The same over links, as long as they stay below this directory.
    ///
    /// @throws KernelException EXDEV when one leads out
    public Opened readInside(byte[] path) throws IOException {
        try (var calls = new PathCalls()) {
            return opened(
                    calls,
                    calls.openInside(
                            descriptor, here(path), Kernel.O_RDONLY | PathCalls.O_NONBLOCK));
        }
    }

    private static Opened opened(PathCalls calls, int file) throws IOException {
        try {
            var node = calls.look(file);
            if (!node.isFile()) {
                throw new KernelException("read", Errno.EINVAL.number(), "not a regular file");
            }
            return new Opened(channel(file, StandardOpenOption.READ), node);
        } finally {
            calls.kernel().closeNow(file);
        }
    }

    /// Where a link in this directory leads, as it says itself: not to be believed.
    public byte[] target(byte[] name) {
        try (var calls = new PathCalls()) {
            return calls.target(descriptor, name);
        }
    }

    /// Makes a new file that belongs to the owner of this directory.
    ///
    /// @param name must not exist
    public FileChannel create(byte[] name) throws IOException {
        return create(name, FILE_MODE);
    }

    /// The same with these permissions.
    ///
    /// @param permissions as [Node#permissions]
    public FileChannel create(byte[] name, int permissions) throws IOException {
        try (var calls = new PathCalls()) {
            int flags = PathCalls.O_WRONLY | PathCalls.O_CREAT | PathCalls.O_EXCL;
            int file = calls.open(descriptor, name, flags, FILE_MODE);
            try {
                giveToOwner(calls, file);
                if (permissions != FILE_MODE) {
                    calls.permit(file, permissions);
                }
                return channel(file, StandardOpenOption.WRITE);
            } finally {
                calls.kernel().closeNow(file);
            }
        }
    }

    /// Makes a directory that belongs to the owner of this one; one that is there is fine.
    public void makeDirectory(byte[] name) {
        try (var calls = new PathCalls()) {
            calls.makeDirectory(descriptor, name, DIRECTORY_MODE);
            int made = calls.open(descriptor, name, PathCalls.O_DIRECTORY, 0);
            try {
                giveToOwner(calls, made);
            } finally {
                calls.kernel().closeNow(made);
            }
        } catch (KernelException failed) {
            if (failed.errno() != Errno.EEXIST) {
                throw failed;
            }
        }
    }

    private void giveToOwner(PathCalls calls, int made) {
        var owner = calls.look(descriptor);
        calls.own(made, owner.user(), owner.group());
    }

    /// The descriptor's own name leads to what was opened and to nothing else.
    private static FileChannel channel(int file, StandardOpenOption access) throws IOException {
        return FileChannel.open(Path.of("/proc/self/fd", Integer.toString(file)), access);
    }

    /// Gives something in this directory another name, in the place of what has it.
    public void rename(byte[] from, byte[] to) {
        try (var calls = new PathCalls()) {
            calls.rename(descriptor, from, descriptor, to);
        }
    }

    /// The same for a new name that must be free.
    public void renameToFree(byte[] from, byte[] to) {
        rename(from, to, PathCalls.RENAME_NOREPLACE);
    }

    /// Two names in this directory change places in one step.
    public void exchange(byte[] one, byte[] other) {
        rename(one, other, PathCalls.RENAME_EXCHANGE);
    }

    private void rename(byte[] from, byte[] to, int flags) {
        try (var calls = new PathCalls()) {
            calls.rename(descriptor, from, to, flags);
        }
    }

    /// Removes a name that is not a directory's.
    public void removeFile(byte[] name) {
        try (var calls = new PathCalls()) {
            calls.remove(descriptor, name, false);
        }
    }

    /// Removes an empty directory.
    public void removeDirectory(byte[] name) {
        try (var calls = new PathCalls()) {
            calls.remove(descriptor, name, true);
        }
    }

    /// Sees the names of a directory, in no order.
    @FunctionalInterface
    public interface Visitor {
        /// @return whether to go on
        boolean name(byte[] name) throws IOException;
    }

    /// Shows every name but `.` and `..`.
    ///
    /// @return whether all were shown; false when the visitor had enough
    public boolean names(Visitor visitor) throws IOException {
        try (var names = names()) {
            for (var some = names.next(); !some.isEmpty(); some = names.next()) {
                for (var each : some) {
                    if (!visitor.name(each.name())) {
                        return false;
                    }
                }
            }
            return true;
        }
    }

    /// Every name but `.` and `..`, some at a time and in no order.
    public DirectoryNames names() {
        try (var calls = new PathCalls()) {
            return new DirectoryNames(calls.open(descriptor, HERE, PathCalls.O_DIRECTORY, 0));
        }
    }

    int descriptor() {
        return descriptor;
    }

    /// The directory as a path of this process.
    public Path path() {
        return Path.of("/proc/self/fd", Integer.toString(descriptor));
    }

    private static byte[] here(byte[] path) {
        return path.length == 0 ? HERE : path;
    }

    private static boolean isOneName(byte[] path) {
        for (var one : path) {
            if (one == '/') {
                return false;
            }
        }
        return path.length > 0;
    }

    @Override
    public void close() {
        if (open.compareAndSet(true, false)) {
            try (var arena = Arena.ofConfined()) {
                new Kernel(arena).close(descriptor);
            }
        }
    }
}

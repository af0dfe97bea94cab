package dev.caisson.linux.calls;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.caisson.linux.Errno;
import dev.caisson.linux.KernelException;
import dev.caisson.linux.Node;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Instant;
import java.util.Optional;

/// Calls on names below an open directory. A name is bytes, as the kernel has it.
///
/// As its [Kernel] it belongs to one thread, and is for a few calls: every name stays in memory
/// until it is closed. The one of [#forMany] keeps a place for one name.
public final class PathCalls implements AutoCloseable {
    /// With the zero at the end, as the kernel counts.
    static final int PATH_BYTES_MAX = 4096;

    public static final int O_WRONLY = 1;
    public static final int O_CREAT = 0x40;
    public static final int O_EXCL = 0x80;
    public static final int O_NONBLOCK = 0x800;
    public static final int O_PATH = 0x200000;
    private static final boolean ARM = System.getProperty("os.arch").equals("aarch64");
    public static final int O_DIRECTORY = ARM ? 0x4000 : 0x10000;
    public static final int O_NOFOLLOW = ARM ? 0x8000 : 0x20000;

    private static final long NO_MAGIC_LINKS = 0x2;
    private static final long NO_SYMLINKS = 0x4;
    private static final long BENEATH = 0x8;
    private static final int HOW_BYTES = 24;
    private static final int STATX_BYTES = 256;
    private static final int BASIC_STATS = 0x7ff;
    private static final int AT_SYMLINK_NOFOLLOW = 0x100;
    private static final int AT_REMOVEDIR = 0x200;

    private static final int PERMISSIONS = 0777;

    /// The new name must not be taken.
    public static final int RENAME_NOREPLACE = 1;

    /// Both names are there, and change places.
    public static final int RENAME_EXCHANGE = 2;

    private final Arena arena;
    private final Kernel kernel;
    private final MemorySegment how;
    private final MemorySegment stats;
    private final Optional<MemorySegment> onlyName;

    public PathCalls() {
        this(Arena.ofConfined(), false);
    }

    private PathCalls(Arena arena, boolean many) {
        this.arena = arena;
        kernel = new Kernel(arena);
        how = arena.allocate(HOW_BYTES, 8);
        stats = arena.allocate(STATX_BYTES, 8);
        onlyName = many ? Optional.of(arena.allocate(PATH_BYTES_MAX)) : Optional.empty();
    }

    /// For any number of calls, by one thread after the other.
    public static PathCalls forMany() {
        return new PathCalls(Arena.ofShared(), true);
    }

    /// Memory that lasts as long as this.
    public MemorySegment allocate(long bytes) {
        return arena.allocate(bytes, 8);
    }

    public Kernel kernel() {
        return kernel;
    }

    /// Opens what lies below a directory: no link on the way is followed, and no way leads out.
    public int open(int directory, byte[] path, int flags, int mode) {
        return open(directory, path, flags, mode, BENEATH | NO_SYMLINKS | NO_MAGIC_LINKS);
    }

    /// The same over links that stay below the directory.
    public int openInside(int directory, byte[] path, int flags) {
        return open(directory, path, flags, 0, BENEATH | NO_MAGIC_LINKS);
    }

    private int open(int directory, byte[] path, int flags, int mode, long resolve) {
        var text = place(path);
        how.set(JAVA_LONG, 0, Integer.toUnsignedLong(flags | Kernel.O_CLOEXEC));
        how.set(JAVA_LONG, 8, mode);
        how.set(JAVA_LONG, 16, resolve);
        long opened =
                kernel.syscallNow(
                        NumberedCalls.OPENAT2,
                        directory,
                        text.address(),
                        how.address(),
                        HOW_BYTES,
                        0);
        return Kernel.check("openat2", opened, "");
    }

    /// What a descriptor stands for.
    public Node look(int descriptor) {
        return look(descriptor, new byte[0], Kernel.AT_EMPTY_PATH);
    }

    /// What a name in a directory stands for: a link is looked at, not followed.
    public Node lookHere(int directory, byte[] one) {
        return look(directory, one, AT_SYMLINK_NOFOLLOW);
    }

    private Node look(int directory, byte[] path, int flags) {
        var text = place(path);
        long result =
                kernel.call(at ->
                        (int)
                                Libc.STATX.call(
                                        at,
                                        directory,
                                        text.address(),
                                        flags,
                                        BASIC_STATS,
                                        stats.address()));
        Kernel.check("statx", result, "");
        return new Node(
                Node.Kind.ofMode(Short.toUnsignedInt(stats.get(JAVA_SHORT, 28))),
                stats.get(JAVA_LONG, 40),
                stats.get(JAVA_LONG, 48) * 512,
                Instant.ofEpochSecond(stats.get(JAVA_LONG, 112), stats.get(JAVA_INT, 120)),
                stats.get(JAVA_LONG, 32),
                Integer.toUnsignedLong(stats.get(JAVA_INT, 136)) << 32
                        | Integer.toUnsignedLong(stats.get(JAVA_INT, 140)),
                stats.get(JAVA_INT, 20),
                stats.get(JAVA_INT, 24),
                stats.get(JAVA_SHORT, 28) & PERMISSIONS);
    }

    /// The next names of an open directory, as the kernel lays them out.
    ///
    /// @return how many bytes of the buffer are filled; 0 at the end
    public int entries(int directory, MemorySegment buffer) {
        long filled =
                kernel.call(at ->
                        Libc.GETDENTS64.call(at, directory, buffer.address(), buffer.byteSize()));
        return Kernel.check("getdents64", filled, "");
    }

    public void makeDirectory(int directory, byte[] one, int mode) {
        var text = place(one);
        long made = kernel.call(at -> (int) Libc.MKDIRAT.call(at, directory, text.address(), mode));
        Kernel.check("mkdirat", made, "");
    }

    public void own(int descriptor, int user, int group) {
        long owned = kernel.call(at -> (int) Libc.FCHOWN.call(at, descriptor, user, group));
        Kernel.check("fchown", owned, "");
    }

    /// @param mode permissions alone
    public void permit(int descriptor, int mode) {
        long permitted = kernel.call(at -> (int) Libc.FCHMOD.call(at, descriptor, mode));
        Kernel.check("fchmod", permitted, "");
    }

    /// Where a link leads, as it says.
    public byte[] target(int directory, byte[] one) {
        var text = place(one);
        var buffer = arena.allocate(PATH_BYTES_MAX);
        long length =
                kernel.call(at ->
                        Libc.READLINKAT.call(
                                at, directory, text.address(), buffer.address(), PATH_BYTES_MAX));
        return buffer.asSlice(0, Kernel.check("readlinkat", length, "")).toArray(JAVA_BYTE);
    }

    public void rename(int fromDirectory, byte[] from, int toDirectory, byte[] to) {
        if (onlyName.isPresent()) {
            throw new IllegalStateException("there is a place for one name");
        }
        var source = place(from);
        var target = place(to);
        long renamed =
                kernel.call(at ->
                        (int)
                                Libc.RENAMEAT.call(
                                        at,
                                        fromDirectory,
                                        source.address(),
                                        toDirectory,
                                        target.address()));
        Kernel.check("renameat", renamed, "");
    }

    /// Renames within a directory.
    ///
    /// @param flags see below
    public void rename(int directory, byte[] from, byte[] to, int flags) {
        var source = place(from);
        var target = place(to);
        long renamed =
                kernel.call(at ->
                        (int)
                                Libc.RENAMEAT2.call(
                                        at,
                                        directory,
                                        source.address(),
                                        directory,
                                        target.address(),
                                        flags));
        Kernel.check("renameat2", renamed, "");
    }

    public void remove(int directory, byte[] one, boolean isDirectory) {
        var text = place(one);
        int flags = isDirectory ? AT_REMOVEDIR : 0;
        long removed =
                kernel.call(at -> (int) Libc.UNLINKAT.call(at, directory, text.address(), flags));
        Kernel.check("unlinkat", removed, "");
    }

    private MemorySegment place(byte[] path) {
        if (path.length >= PATH_BYTES_MAX) {
            throw new KernelException("path", Errno.ENAMETOOLONG.number());
        }
        var text = onlyName.orElseGet(() -> arena.allocate(path.length + 1L));
        MemorySegment.copy(path, 0, text, JAVA_BYTE, 0, path.length);
        text.set(JAVA_BYTE, path.length, (byte) 0);
        return text;
    }

    @Override
    public void close() {
        arena.close();
    }
}

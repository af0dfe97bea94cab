package dev.caisson.linux;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/// System calls as methods. A method that ends in `Now` returns what the kernel returned, or minus
/// the error number; every other one throws a [KernelException].
///
/// A kernel belongs to one thread: it has one place for `errno`, in the arena it was made with, and
/// strings it is given are copied into that arena. No call but [#pollForEver] blocks: a virtual
/// thread that waits in the kernel would hold its carrier.
final class Kernel {
    static final int AT_FDCWD = -100;
    static final int AT_EMPTY_PATH = 0x1000;
    static final int O_RDONLY = 0;
    static final int O_RDWR = 2;
    static final int O_NONBLOCK = 0x800;
    static final int O_CLOEXEC = 0x80000;
    static final int CLONE_FS = 0x200;
    static final int CLONE_NEWNS = 0x20000;

    private static final int DUPLICATE_CLOEXEC = 1030;
    private static final int LOCK_EXCLUSIVE_NOW = 2 | 4;
    private static final int PRIO_PROCESS = 0;
    private static final int SEEK_DATA = 3;
    private static final int SEEK_HOLE = 4;

    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(PathElement.groupElement("errno"));

    private final Arena arena;
    private final MemorySegment state;

    Kernel(Arena arena) {
        this.arena = arena;
        this.state = arena.allocate(STATE);
    }

    MemorySegment string(String text) {
        return arena.allocateFrom(text);
    }

    /// Zeroed memory for a structure of the kernel's.
    MemorySegment struct(long bytes) {
        return arena.allocate(bytes, 8);
    }

    long syscallNow(Numbered call, long a, long b, long c, long d, long e) {
        return call(
                at -> (long) Libc.SYSCALL.invokeExact(at, (long) call.number(), a, b, c, d, e, 0L));
    }

    int syscall(Numbered call, long a, long b, long c, long d, long e) {
        return check(call.word(), syscallNow(call, a, b, c, d, e), "");
    }

    int open(String path, int flags) {
        return check("open", openNow(path, flags), path);
    }

    /// The same for a file that somebody may delete at any time.
    ///
    /// @throws NoSuchFileException when somebody did
    int openExisting(Path file, int flags) throws NoSuchFileException {
        try {
            return open(file.toString(), flags);
        } catch (KernelException failed) {
            if (failed.errno() == Errno.ENOENT) {
                throw new NoSuchFileException(file.toString());
            }
            throw failed;
        }
    }

    int openNow(String path, int flags) {
        var name = string(path);
        return (int) call(at -> (int) Libc.OPEN.invokeExact(at, name, flags | O_CLOEXEC, 0));
    }

    int closeNow(int descriptor) {
        return (int) call(at -> (int) Libc.CLOSE.invokeExact(at, descriptor));
    }

    int setnsNow(int descriptor, int kind) {
        return (int) call(at -> (int) Libc.SETNS.invokeExact(at, descriptor, kind));
    }

    int unshareNow(int flags) {
        return (int) call(at -> (int) Libc.UNSHARE.invokeExact(at, flags));
    }

    int ioctlNow(int descriptor, long request, long argument) {
        return (int) call(at -> (int) Libc.IOCTL.invokeExact(at, descriptor, request, argument));
    }

    /// Another descriptor of the same, to be closed by itself.
    int duplicate(int descriptor) {
        long result =
                call(at -> (int) Libc.FCNTL.invokeExact(at, descriptor, DUPLICATE_CLOEXEC, 0L));
        return check("fcntl", result, "descriptor " + descriptor);
    }

    int prctlNow(int option, long argument) {
        return (int) call(at -> (int) Libc.PRCTL.invokeExact(at, option, argument, 0L, 0L, 0L));
    }

    int waitidNow(int kind, int id, MemorySegment info, int options) {
        return (int) call(at -> (int) Libc.WAITID.invokeExact(at, kind, id, info, options));
    }

    int pollNow(MemorySegment descriptors, long count) {
        return (int) call(at -> (int) Libc.POLL.invokeExact(at, descriptors, count, 0));
    }

    /// Blocks, so it is for platform threads that have nothing else to do.
    int pollForEver(MemorySegment descriptors, long count) {
        return (int) call(at -> (int) Libc.POLL.invokeExact(at, descriptors, count, -1));
    }

    long readNow(int descriptor, MemorySegment into) {
        return call(at -> (long) Libc.READ.invokeExact(at, descriptor, into, into.byteSize()));
    }

    /// Takes the lock of an open file; false when somebody has it.
    boolean lockNow(int descriptor) {
        return call(at -> (int) Libc.FLOCK.invokeExact(at, descriptor, LOCK_EXCLUSIVE_NOW)) >= 0;
    }

    /// Lowers the priority of the calling thread, and of no other.
    int niceNow(int nice) {
        return (int) call(at -> (int) Libc.SETPRIORITY.invokeExact(at, PRIO_PROCESS, 0, nice));
    }

    /// Where a sparse file has data from an offset on; negative when it has none.
    long nextData(int descriptor, long from) {
        return call(at -> (long) Libc.LSEEK.invokeExact(at, descriptor, from, SEEK_DATA));
    }

    long nextHole(int descriptor, long from) {
        return call(at -> (long) Libc.LSEEK.invokeExact(at, descriptor, from, SEEK_HOLE));
    }

    /// The type of the file system a path is on, as the kernel numbers them; empty when the path
    /// cannot be reached.
    Optional<Long> fileSystemType(String path) {
        var name = string(path);
        var buffer = struct(256);
        long result = call(at -> (int) Libc.STATFS.invokeExact(at, name, buffer));
        return result < 0 ? Optional.empty() : Optional.of(buffer.get(JAVA_LONG, 0));
    }

    /// How full the file system is that a path is on.
    Room room(String path) {
        var name = string(path);
        var buffer = struct(256);
        check("statfs", call(at -> (int) Libc.STATFS.invokeExact(at, name, buffer)), path);
        long block = buffer.get(JAVA_LONG, 8);
        long blocks = buffer.get(JAVA_LONG, 16);
        long files = buffer.get(JAVA_LONG, 40);
        return new Room(
                (blocks - buffer.get(JAVA_LONG, 24)) * block,
                OptionalLong.of(blocks * block),
                files - buffer.get(JAVA_LONG, 48),
                OptionalLong.of(files));
    }

    /// What a file takes on the disk, which for a sparse one is less than its size.
    long allocatedBytes(String path) {
        var name = string(path);
        var buffer = struct(256);
        long result =
                call(at -> (int) Libc.STATX.invokeExact(at, AT_FDCWD, name, 0, 0x400, buffer));
        check("statx", result, path);
        return buffer.get(JAVA_LONG, 48) * 512;
    }

    void chown(String path, int uid, int gid) {
        var name = string(path);
        check("lchown", call(at -> (int) Libc.LCHOWN.invokeExact(at, name, uid, gid)), path);
    }

    int mknodNow(String path, int mode, long device) {
        var name = string(path);
        return (int) call(at -> (int) Libc.MKNOD.invokeExact(at, name, mode, device));
    }

    /// Makes a named pipe. Who may open it depends on the server's umask too.
    void mkfifo(String path, int mode) {
        var name = string(path);
        check("mkfifo", call(at -> (int) Libc.MKFIFO.invokeExact(at, name, mode)), path);
    }

    /// A descriptor that becomes readable, for good, when [#signalNow] is called on it.
    int eventfd() {
        return check("eventfd", call(at -> (int) Libc.EVENTFD.invokeExact(at, 0, O_CLOEXEC)), "");
    }

    int signalNow(int eventfd) {
        return (int) call(at -> (int) Libc.EVENTFD_WRITE.invokeExact(at, eventfd, 1L));
    }

    void close(int descriptor) {
        check("close", closeNow(descriptor), "descriptor " + descriptor);
    }

    static int check(String call, long result, String about) {
        if (result < 0) {
            throw new KernelException(call, (int) -result, about);
        }
        return (int) result;
    }

    /// A linked function, given the place for `errno`.
    interface Linked {
        long invoke(MemorySegment state) throws Throwable;
    }

    long call(Linked function) {
        try {
            long result = function.invoke(state);
            return result < 0 ? -(int) ERRNO.get(state, 0L) : result;
        } catch (Throwable impossible) {
            // A handle throws nothing of its own once it is linked with the right types.
            throw new IllegalStateException("a linked function threw", impossible);
        }
    }
}

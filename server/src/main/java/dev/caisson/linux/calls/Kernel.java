package dev.caisson.linux.calls;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.caisson.linux.DiskUsage;
import dev.caisson.linux.Errno;
import dev.caisson.linux.KernelException;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// System calls as methods. A method that ends in `Now` returns what the kernel returned, or minus
/// the error number; every other one throws a [KernelException].
///
/// A kernel belongs to one thread: it has one place for `errno`, in the arena it was made with, and
/// strings it is given are copied into that arena. No call but [#pollForEver] blocks: a virtual
/// thread that waits in the kernel would hold its carrier.
public final class Kernel {
    public static final int AT_FDCWD = -100;
    public static final int AT_EMPTY_PATH = 0x1000;
    public static final int O_RDONLY = 0;
    public static final int O_RDWR = 2;
    public static final int O_NONBLOCK = 0x800;
    public static final int O_CLOEXEC = 0x80000;
    public static final int CLONE_FS = 0x200;
    public static final int CLONE_NEWNS = 0x20000;

    private static final int AF_UNIX = 1;
    private static final int SOCK_SEQPACKET = 5;
    private static final int MSG_DONTWAIT = 0x40;
    private static final int MSG_NOSIGNAL = 0x4000;
    private static final int MSG_CMSG_CLOEXEC = 0x40000000;
    private static final long SPAWN_ACTIONS_BYTES = 256;

    private static final int DUPLICATE_CLOEXEC = 1030;
    private static final int SET_FLAGS = 4;
    private static final int LOCK_EXCLUSIVE_NOW = 2 | 4;
    private static final int PRIO_PROCESS = 0;
    private static final int SEEK_DATA = 3;
    private static final int SEEK_HOLE = 4;

    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(PathElement.groupElement("errno"));

    private final Arena arena;
    private final MemorySegment state;

    public Kernel(Arena arena) {
        this.arena = arena;
        this.state = arena.allocate(STATE);
    }

    public MemorySegment string(String text) {
        return arena.allocateFrom(text);
    }

    /// Zeroed memory for a structure of the kernel's.
    public MemorySegment struct(long bytes) {
        return arena.allocate(bytes, 8);
    }

    public long syscallNow(NumberedCalls call, long a, long b, long c, long d, long e) {
        return call(at -> Libc.SYSCALL.call(at, call.number(), a, b, c, d, e, 0));
    }

    public int syscall(NumberedCalls call, long a, long b, long c, long d, long e) {
        return check(call.word(), syscallNow(call, a, b, c, d, e), "");
    }

    public int open(String path, int flags) {
        return check("open", openNow(path, flags), path);
    }

    /// The same for a file that somebody may delete at any time.
    ///
    /// @throws NoSuchFileException when somebody did
    public int openExisting(Path file, int flags) throws NoSuchFileException {
        try {
            return open(file.toString(), flags);
        } catch (KernelException failed) {
            if (failed.errno() == Errno.ENOENT) {
                throw new NoSuchFileException(file.toString());
            }
            throw failed;
        }
    }

    public int openNow(String path, int flags) {
        var name = string(path);
        return (int) call(at -> (int) Libc.OPEN.call(at, name.address(), flags | O_CLOEXEC, 0));
    }

    public int closeNow(int descriptor) {
        return (int) call(at -> (int) Libc.CLOSE.call(at, descriptor));
    }

    public int setnsNow(int descriptor, int kind) {
        return (int) call(at -> (int) Libc.SETNS.call(at, descriptor, kind));
    }

    public int unshareNow(int flags) {
        return (int) call(at -> (int) Libc.UNSHARE.call(at, flags));
    }

    public int ioctlNow(int descriptor, long request, long argument) {
        return (int) call(at -> (int) Libc.IOCTL.call(at, descriptor, request, argument));
    }

    /// Another descriptor of the same, to be closed by itself.
    public int duplicate(int descriptor) {
        long result = call(at -> (int) Libc.FCNTL.call(at, descriptor, DUPLICATE_CLOEXEC, 0L));
        return check("fcntl", result, "descriptor " + descriptor);
    }

    /// From now on who reads finds that there is nothing instead of waiting.
    public void stopBlocking(int descriptor) {
        long set = call(at -> (int) Libc.FCNTL.call(at, descriptor, SET_FLAGS, O_NONBLOCK));
        check("fcntl", set, "descriptor " + descriptor);
    }

    public int prctlNow(int option, long argument) {
        return (int) call(at -> (int) Libc.PRCTL.call(at, option, argument, 0L, 0L, 0L));
    }

    public int waitidNow(int kind, int id, MemorySegment info, int options) {
        return (int) call(at -> (int) Libc.WAITID.call(at, kind, id, info.address(), options));
    }

    public int pollNow(MemorySegment descriptors, long count) {
        return (int) call(at -> (int) Libc.POLL.call(at, descriptors.address(), count, 0));
    }

    /// Blocks, so it is for platform threads that have nothing else to do.
    public int pollForEver(MemorySegment descriptors, long count) {
        return (int) call(at -> (int) Libc.POLL.call(at, descriptors.address(), count, -1));
    }

    public long readNow(int descriptor, MemorySegment into) {
        return call(at -> Libc.READ.call(at, descriptor, into.address(), into.byteSize()));
    }

    /// Reads from the beginning of a file, wherever it was read before.
    public long readAtStartNow(int descriptor, MemorySegment into) {
        return call(at -> Libc.PREAD.call(at, descriptor, into.address(), into.byteSize(), 0L));
    }

    public long writeAtStartNow(int descriptor, MemorySegment from) {
        return call(at -> Libc.PWRITE.call(at, descriptor, from.address(), from.byteSize(), 0L));
    }

    /// Takes the lock of an open file; false when somebody has it.
    public boolean lockNow(int descriptor) {
        return call(at -> (int) Libc.FLOCK.call(at, descriptor, LOCK_EXCLUSIVE_NOW)) >= 0;
    }

    /// Lowers the priority of the calling thread, and of no other.
    public int niceNow(int nice) {
        return (int) call(at -> (int) Libc.SETPRIORITY.call(at, PRIO_PROCESS, 0, nice));
    }

    /// Where a sparse file has data from an offset on; negative when it has none.
    public long nextData(int descriptor, long from) {
        return call(at -> Libc.LSEEK.call(at, descriptor, from, SEEK_DATA));
    }

    public long nextHole(int descriptor, long from) {
        return call(at -> Libc.LSEEK.call(at, descriptor, from, SEEK_HOLE));
    }

    /// The type of the file system a path is on, as the kernel numbers them; empty when the path
    /// cannot be reached.
    public Optional<Long> fileSystemType(String path) {
        var name = string(path);
        var buffer = struct(256);
        long result = call(at -> (int) Libc.STATFS.call(at, name.address(), buffer.address()));
        return result < 0 ? Optional.empty() : Optional.of(buffer.get(JAVA_LONG, 0));
    }

    /// How full the file system is that a path is on.
    public DiskUsage room(String path) {
        var name = string(path);
        var buffer = struct(256);
        check(
                "statfs",
                call(at -> (int) Libc.STATFS.call(at, name.address(), buffer.address())),
                path);
        long block = buffer.get(JAVA_LONG, 8);
        long blocks = buffer.get(JAVA_LONG, 16);
        long files = buffer.get(JAVA_LONG, 40);
        return new DiskUsage(
                (blocks - buffer.get(JAVA_LONG, 24)) * block,
                OptionalLong.of(blocks * block),
                files - buffer.get(JAVA_LONG, 48),
                OptionalLong.of(files));
    }

    /// What a file takes on the disk, which for a sparse one is less than its size.
    public long allocatedBytes(String path) {
        var name = string(path);
        var buffer = struct(256);
        long result =
                call(at ->
                        (int)
                                Libc.STATX.call(
                                        at, AT_FDCWD, name.address(), 0, 0x400, buffer.address()));
        check("statx", result, path);
        return buffer.get(JAVA_LONG, 48) * 512;
    }

    public void chown(String path, int uid, int gid) {
        var name = string(path);
        check("lchown", call(at -> (int) Libc.LCHOWN.call(at, name.address(), uid, gid)), path);
    }

    public int mknodNow(String path, int mode, long device) {
        var name = string(path);
        return (int) call(at -> (int) Libc.MKNOD.call(at, name.address(), mode, device));
    }

    /// Makes a named pipe. Who may open it depends on the server's umask too.
    public void mkfifo(String path, int mode) {
        var name = string(path);
        check("mkfifo", call(at -> (int) Libc.MKFIFO.call(at, name.address(), mode)), path);
    }

    /// A descriptor that becomes readable, for good, when [#signalNow] is called on it.
    public int eventfd() {
        return check("eventfd", call(at -> (int) Libc.EVENTFD.call(at, 0, O_CLOEXEC)), "");
    }

    public int signalNow(int eventfd) {
        return (int) call(at -> (int) Libc.EVENTFD_WRITE.call(at, eventfd, 1L));
    }

    /// A pipe: its reading end, its writing end.
    public int[] pipe() {
        var ends = struct(8);
        check("pipe2", call(at -> (int) Libc.PIPE2.call(at, ends.address(), O_CLOEXEC)), "");
        return new int[] {ends.get(JAVA_INT, 0), ends.get(JAVA_INT, 4)};
    }

    /// Two sockets that are connected, and keep messages apart.
    public int[] socketPair() {
        var ends = struct(8);
        int kind = SOCK_SEQPACKET | O_CLOEXEC;
        check(
                "socketpair",
                call(at -> (int) Libc.SOCKETPAIR.call(at, AF_UNIX, kind, 0, ends.address())),
                "");
        return new int[] {ends.get(JAVA_INT, 0), ends.get(JAVA_INT, 4)};
    }

    public long sendNow(int socket, MemorySegment message) {
        return call(at ->
                Libc.SENDMSG.call(at, socket, message.address(), MSG_NOSIGNAL | MSG_DONTWAIT));
    }

    public long receiveNow(int socket, MemorySegment message) {
        return call(at ->
                Libc.RECVMSG.call(at, socket, message.address(), MSG_CMSG_CLOEXEC | MSG_DONTWAIT));
    }

    public void giveTo(int descriptor, int uid, int gid) {
        check(
                "fchown",
                call(at -> (int) Libc.FCHOWN.call(at, descriptor, uid, gid)),
                "descriptor " + descriptor);
    }

    /// Blocks for a time, so it is for platform threads.
    public int pollFor(MemorySegment descriptors, long count, int millis) {
        return (int) call(at -> (int) Libc.POLL.call(at, descriptors.address(), count, millis));
    }

    /// Starts a program with an empty environment, and with these descriptors and no promise about
    /// others.
    ///
    /// @param descriptors each ours and the number it has there
    /// @return its number
    public int spawn(String program, List<String> words, List<int[]> descriptors) {
        var actions = struct(SPAWN_ACTIONS_BYTES);
        checkDirect(
                "init",
                (int) call(at -> (int) Libc.SPAWN_ACTIONS_INIT.call(at, actions.address())));
        try {
            for (var pair : descriptors) {
                int from = pair[0];
                int to = pair[1];
                checkDirect(
                        "adddup2",
                        (int)
                                call(at ->
                                        (int)
                                                Libc.SPAWN_ACTIONS_DUP2.call(
                                                        at, actions.address(), from, to)));
            }
            var argv = strings(words);
            var environment = strings(List.of());
            var path = string(program);
            var pid = struct(8);
            checkDirect(
                    program,
                    (int)
                            call(at ->
                                    (int)
                                            Libc.POSIX_SPAWN.call(
                                                    at,
                                                    pid.address(),
                                                    path.address(),
                                                    actions.address(),
                                                    0,
                                                    argv.address(),
                                                    environment.address())));
            return pid.get(JAVA_INT, 0);
        } finally {
            call(at -> (int) Libc.SPAWN_ACTIONS_DESTROY.call(at, actions.address()));
        }
    }

    private MemorySegment strings(List<String> words) {
        var all = arena.allocate(ADDRESS, words.size() + 1L);
        for (int each = 0; each < words.size(); each++) {
            all.setAtIndex(ADDRESS, each, string(words.get(each)));
        }
        return all;
    }

    /// These functions return the error itself.
    private static void checkDirect(String about, int error) {
        if (error != 0) {
            throw new KernelException("posix_spawn", error, about);
        }
    }

    public void close(int descriptor) {
        check("close", closeNow(descriptor), "descriptor " + descriptor);
    }

    public static int check(String call, long result, String about) {
        if (result < 0) {
            throw new KernelException(call, (int) -result, about);
        }
        return (int) result;
    }

    /// A linked function, given the place for `errno`.
    interface Linked {
        long invoke(MemorySegment state);
    }

    long call(Linked function) {
        long result = function.invoke(state);
        return result < 0 ? -(int) ERRNO.get(state, 0L) : result;
    }
}

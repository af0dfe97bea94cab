package dev.caisson.linux.calls;

import java.lang.foreign.Linker;

/// Functions of the C library this room calls, linked once when the class is loaded.
///
/// Numbers from 424 up are the same on every architecture and go through [#SYSCALL]; older calls
/// are reached by their names, because their numbers differ.
final class Libc {
    static final CFunction SYSCALL = link("syscall");
    static final CFunction OPEN = link("open");
    static final CFunction IOCTL = link("ioctl");
    static final CFunction FCNTL = link("fcntl");
    static final CFunction PRCTL = link("prctl");
    static final CFunction CLOSE = link("close");
    static final CFunction SETNS = link("setns");
    static final CFunction UNSHARE = link("unshare");
    static final CFunction WAITID = link("waitid");
    static final CFunction POLL = link("poll");
    static final CFunction STATFS = link("statfs");
    static final CFunction STATX = link("statx");
    static final CFunction LCHOWN = link("lchown");
    static final CFunction MKNOD = link("mknod");
    static final CFunction MKFIFO = link("mkfifo");
    static final CFunction EVENTFD = link("eventfd");
    static final CFunction EVENTFD_WRITE = link("eventfd_write");
    static final CFunction FLOCK = link("flock");
    static final CFunction READ = link("read");
    static final CFunction PREAD = link("pread");
    static final CFunction PWRITE = link("pwrite");
    static final CFunction MKDIRAT = link("mkdirat");
    static final CFunction UNLINKAT = link("unlinkat");
    static final CFunction RENAMEAT = link("renameat");
    static final CFunction RENAMEAT2 = link("renameat2");
    static final CFunction FCHOWN = link("fchown");
    static final CFunction FCHMOD = link("fchmod");
    static final CFunction READLINKAT = link("readlinkat");
    static final CFunction GETDENTS64 = link("getdents64");
    static final CFunction SETPRIORITY = link("setpriority");
    static final CFunction LSEEK = link("lseek");
    static final CFunction PIPE2 = link("pipe2");
    static final CFunction SOCKETPAIR = link("socketpair");
    static final CFunction SENDMSG = link("sendmsg");
    static final CFunction RECVMSG = link("recvmsg");
    static final CFunction POSIX_SPAWN = link("posix_spawn");
    static final CFunction SPAWN_ACTIONS_INIT = link("posix_spawn_file_actions_init");
    static final CFunction SPAWN_ACTIONS_DUP2 = link("posix_spawn_file_actions_adddup2");
    static final CFunction SPAWN_ACTIONS_DESTROY = link("posix_spawn_file_actions_destroy");

    private Libc() {}

    private static CFunction link(String name) {
        return CFunction.of(Linker.nativeLinker().defaultLookup().findOrThrow(name));
    }
}

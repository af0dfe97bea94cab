package dev.caisson.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// The functions of the C library this room calls, linked once when the class is loaded. Each
/// handle's first argument is where `errno` is captured.
///
/// Numbers from 424 up are the same on every architecture and go through [#SYSCALL]; older calls
/// are reached by their names, because their numbers differ.
final class Libc {
    static final MethodHandle SYSCALL = variadic("syscall", 1, JAVA_LONG, repeat(JAVA_LONG, 7));
    static final MethodHandle OPEN =
            variadic("open", 2, JAVA_INT, List.of(ADDRESS, JAVA_INT, JAVA_INT));
    static final MethodHandle IOCTL =
            variadic("ioctl", 2, JAVA_INT, List.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    static final MethodHandle FCNTL =
            variadic("fcntl", 2, JAVA_INT, List.of(JAVA_INT, JAVA_INT, JAVA_LONG));
    static final MethodHandle PRCTL = variadic("prctl", 1, JAVA_INT, prctlArguments());
    static final MethodHandle CLOSE = plain("close", JAVA_INT);
    static final MethodHandle SETNS = plain("setns", JAVA_INT, JAVA_INT);
    static final MethodHandle UNSHARE = plain("unshare", JAVA_INT);
    static final MethodHandle WAITID = plain("waitid", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
    static final MethodHandle POLL = plain("poll", ADDRESS, JAVA_LONG, JAVA_INT);
    static final MethodHandle STATFS = plain("statfs", ADDRESS, ADDRESS);
    static final MethodHandle STATX =
            plain("statx", JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS);
    static final MethodHandle LCHOWN = plain("lchown", ADDRESS, JAVA_INT, JAVA_INT);
    static final MethodHandle MKNOD = plain("mknod", ADDRESS, JAVA_INT, JAVA_LONG);
    static final MethodHandle MKFIFO = plain("mkfifo", ADDRESS, JAVA_INT);
    static final MethodHandle EVENTFD = plain("eventfd", JAVA_INT, JAVA_INT);
    static final MethodHandle EVENTFD_WRITE = plain("eventfd_write", JAVA_INT, JAVA_LONG);
    static final MethodHandle FLOCK = plain("flock", JAVA_INT, JAVA_INT);
    static final MethodHandle READ =
            link(
                    "read",
                    FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG),
                    Linker.Option.captureCallState("errno"));
    static final MethodHandle MKDIRAT = plain("mkdirat", JAVA_INT, ADDRESS, JAVA_INT);
    static final MethodHandle UNLINKAT = plain("unlinkat", JAVA_INT, ADDRESS, JAVA_INT);
    static final MethodHandle RENAMEAT = plain("renameat", JAVA_INT, ADDRESS, JAVA_INT, ADDRESS);
    static final MethodHandle FCHOWN = plain("fchown", JAVA_INT, JAVA_INT, JAVA_INT);
    static final MethodHandle GETDENTS64 =
            link(
                    "getdents64",
                    FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG),
                    Linker.Option.captureCallState("errno"));
    static final MethodHandle SETPRIORITY = plain("setpriority", JAVA_INT, JAVA_INT, JAVA_INT);
    static final MethodHandle LSEEK =
            link(
                    "lseek",
                    FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT),
                    Linker.Option.captureCallState("errno"));

    private Libc() {}

    private static List<MemoryLayout> prctlArguments() {
        var arguments = new ArrayList<MemoryLayout>();
        arguments.add(JAVA_INT);
        arguments.addAll(repeat(JAVA_LONG, 4));
        return arguments;
    }

    private static List<MemoryLayout> repeat(MemoryLayout layout, int times) {
        return Collections.nCopies(times, layout);
    }

    private static MethodHandle plain(String name, MemoryLayout... arguments) {
        return link(
                name,
                FunctionDescriptor.of(JAVA_INT, arguments),
                Linker.Option.captureCallState("errno"));
    }

    private static MethodHandle variadic(
            String name, int fixed, MemoryLayout result, List<MemoryLayout> arguments) {
        return link(
                name,
                FunctionDescriptor.of(result, arguments.toArray(MemoryLayout[]::new)),
                Linker.Option.captureCallState("errno"),
                Linker.Option.firstVariadicArg(fixed));
    }

    @SuppressWarnings("restricted") // Calling the kernel is what this class is for.
    private static MethodHandle link(
            String name, FunctionDescriptor function, Linker.Option... options) {
        var linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), function, options);
    }
}

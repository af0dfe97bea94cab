package dev.caisson.linux.seccomp;

import dev.caisson.linux.UnixSockets;
import dev.caisson.linux.calls.NumberedCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// System call policy: what a program in a sandbox may ask of the kernel. Everything that is not
/// listed is refused with `EPERM`, whatever the kernel knows; every call of another architecture's
/// interface as well.
///
/// Values are compared in the low 32 bits, because that is all the kernel looks at: a program
/// cannot pass a test by setting a bit above them.
public final class SyscallPolicy {
    public static final int EPERM = 1;
    static final int EINVAL = 22;
    static final int ENOTTY = 25;
    static final int ENOSYS = 38;
    static final int ENOPROTOOPT = 92;

    /// What an interpreter says of it names the cause: "address family not supported".
    static final int EAFNOSUPPORT = 97;

    private static final String FILES =
            """
            read write open openat openat2 creat close close_range stat fstat lstat newfstatat statx
            lseek pread64 pwrite64 readv writev preadv pwritev preadv2 pwritev2 access faccessat
            faccessat2 dup dup2 dup3 pipe pipe2 flock fsync fdatasync sync_file_range truncate
            ftruncate fallocate fadvise64 readahead getdents getdents64 getcwd chdir fchdir
            rename renameat renameat2 mkdir mkdirat rmdir link linkat unlink unlinkat symlink symlinkat
            readlink readlinkat chmod fchmod fchmodat chown fchown lchown fchownat umask utime utimes
            utimensat futimesat statfs fstatfs sendfile copy_file_range memfd_create
            setxattr lsetxattr fsetxattr getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr
            removexattr lremovexattr fremovexattr
            inotify_init inotify_init1 inotify_add_watch inotify_rm_watch
            """;

    private static final String MEMORY =
            """
            brk mmap munmap mremap mprotect madvise msync mincore mlock mlock2 munlock mlockall
            munlockall pkey_mprotect pkey_alloc pkey_free membarrier
            """;

    private static final String PROCESSES =
            """
            fork vfork execve execveat exit exit_group wait4 waitid kill tkill tgkill pidfd_open
            pidfd_send_signal getpid getppid gettid getpgid getpgrp setpgid getsid setsid getuid geteuid
            getgid getegid getresuid getresgid setuid setgid setreuid setregid setresuid setresgid
            setfsuid setfsgid getgroups setgroups getpriority setpriority getrlimit setrlimit prlimit64
            getrusage times capget arch_prctl set_tid_address set_robust_list get_robust_list rseq
            futex futex_waitv sched_yield sched_getaffinity sched_setaffinity sched_getparam
            sched_setparam sched_getscheduler sched_setscheduler sched_get_priority_max
            sched_get_priority_min sched_rr_get_interval sched_getattr sched_setattr getcpu ioprio_get
            uname sysinfo getrandom restart_syscall
            """;

    private static final String SIGNALS =
            """
            rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait rt_sigqueueinfo
            rt_tgsigqueueinfo rt_sigsuspend sigaltstack signalfd signalfd4 pause alarm
            """;

    private static final String TIME =
            """
            clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday time getitimer setitimer
            timer_create timer_settime timer_gettime timer_getoverrun timer_delete timerfd_create
            timerfd_settime timerfd_gettime
            """;

    private static final String EVENTS =
            """
            select pselect6 poll ppoll epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait
            epoll_pwait2 eventfd eventfd2
            """;

    private static final String NETWORK =
            """
            bind listen accept accept4 connect getsockname getpeername sendto recvfrom sendmsg recvmsg
            sendmmsg recvmmsg shutdown getsockopt
            """;

    private static final String MESSAGES =
            """
            shmget shmat shmdt shmctl msgget msgsnd msgrcv msgctl semget semop semtimedop semctl
            mq_open mq_unlink mq_timedsend mq_timedreceive mq_notify mq_getsetattr
            """;

    /// Newer than some C libraries' names for them; these numbers are the same everywhere.
    private static final int FCHMODAT2 = 452;

    /// From the first call this policy has no opinion on to beyond any that exists. A C library
    /// that gets `ENOSYS` falls back to what it did before; `EPERM` would make it fail.
    private static final int UNKNOWN_FIRST = 451;

    private static final int UNKNOWN_LAST = 511;

    /// Options of `prctl` that concern only the process itself: parent death signal, dumpable, keep
    /// capabilities, name, reading the bounding set and the filter's mode, timer slack, reaping
    /// orphans, no new privileges, huge pages, names of memory areas. Not those on speculation,
    /// which weaken what the processor keeps apart.
    private static final int[] PRCTL_OPTIONS = {
        1, 2, 3, 4, 7, 8, 15, 16, 21, 23, 29, 30, 36, 37, 38, 39, 40, 41, 42, 0x53564d41
    };

    private static final int AF_UNIX = 1;
    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int AF_NETLINK = 16;
    private static final int NETLINK_ROUTE = 0;

    /// Type and flags of a socket share an argument.
    private static final int SOCKET_TYPE = 0xF;

    private static final int SOCK_STREAM = 1;
    private static final int SOCK_DGRAM = 2;
    private static final int SOCK_RAW = 3;
    private static final int SOCK_SEQPACKET = 5;

    /// The default of the type, TCP.
    private static final int[] STREAM_PROTOCOLS = {0, 6};

    /// The default of the type, ICMP, UDP, ICMPv6.
    private static final int[] DATAGRAM_PROTOCOLS = {0, 1, 17, 58};

    private static final int NEW_NAMESPACES = 0x7E020000;
    private static final int FILE_TYPE = 0xF000;

    /// Unspecified, regular file, named pipe, socket: everything but devices.
    private static final int[] FILE_TYPES = {0, 0x8000, 0x1000, 0xC000};

    /// The usual one, the one without random addresses that debuggers and some runtimes ask for,
    /// and the question which one is in force.
    private static final int[] PERSONALITIES = {0, 0x0040000, -1};

    /// Why calls are left out, for people and for the test that tries them.
    public static final Map<String, List<String>> REFUSED =
            Map.of(
                    "reads or changes another process",
                    words(
                            "ptrace process_vm_readv process_vm_writev pidfd_getfd kcmp process_madvise"),
                    "makes or enters a namespace",
                    words("unshare setns"),
                    "changes what is mounted",
                    words(
                            """
                            mount umount2 pivot_root chroot open_tree move_mount fsopen fsconfig fsmount
                            fspick mount_setattr
                            """),
                    "reaches files around the mounts",
                    words("name_to_handle_at open_by_handle_at fanotify_init"),
                    "a part of the kernel too large and too new to offer to a stranger",
                    words(
                            """
                            bpf perf_event_open userfaultfd io_uring_setup io_uring_enter
                            io_uring_register io_setup io_submit vmsplice memfd_secret modify_ldt
                            remap_file_pages
                            """),
                    "loads a filter into the kernel, and freeing many can stop a host",
                    words("seccomp"),
                    "keys are shared by everything a user runs",
                    words("add_key request_key keyctl"),
                    "concerns the machine, not the program",
                    words(
                            """
                            sync syncfs reboot kexec_load init_module finit_module delete_module swapon swapoff
                            syslog acct quotactl settimeofday clock_settime adjtimex clock_adjtime
                            sethostname setdomainname iopl ioperm ioprio_set vhangup
                            """),
                    "places memory on parts of the machine",
                    words("mbind set_mempolicy get_mempolicy migrate_pages move_pages"),
                    "changes capabilities",
                    words("capset"));

    private SyscallPolicy() {}

    public static List<SyscallRule> rules(UnixSockets unix) {
        return Stream.of(
                        free(),
                        unknown(),
                        processes(),
                        nodes(),
                        pipes(),
                        sockets(),
                        unixSockets(unix),
                        SyscallOptions.rules())
                .flatMap(List::stream)
                .toList();
    }

    /// What a nest may beyond what programs may: make and enter namespaces, mount in its own, name
    /// its host, give up capabilities, and load the filter of programs.
    private static final List<String> NEST = words("setns unshare mount sethostname capset");

    /// The filter, and the bounding set of capabilities.
    private static final int[] NEST_PRCTL_OPTIONS = {22, 24};

    /// `SIOCSIFFLAGS`, to switch loopback on.
    private static final int NEST_IOCTL_REQUEST = 0x8914;

    public static List<SyscallRule> nestRules(UnixSockets unix) {
        var own =
                Stream.concat(
                        NEST.stream().map(SyscallRule::allow),
                        Stream.of(
                                SyscallRule.allow("clone"),
                                SyscallRule.allow("clone3"),
                                SyscallRule.allow(NumberedCalls.MOUNT_SETATTR.number()),
                                SyscallRule.allow(
                                        "prctl", ArgumentCondition.is(0, NEST_PRCTL_OPTIONS)),
                                SyscallRule.allow(
                                        "ioctl", ArgumentCondition.is(1, NEST_IOCTL_REQUEST))));
        // The first rule that holds counts.
        return Stream.concat(own, rules(unix).stream()).toList();
    }

    private static List<SyscallRule> free() {
        return Stream.of(FILES, MEMORY, PROCESSES, SIGNALS, TIME, EVENTS, NETWORK, MESSAGES)
                .flatMap(group -> words(group).stream())
                .map(SyscallRule::allow)
                .toList();
    }

    private static List<SyscallRule> unknown() {
        var rules = new ArrayList<SyscallRule>();
        rules.add(SyscallRule.allow(FCHMODAT2));
        IntStream.rangeClosed(UNKNOWN_FIRST, UNKNOWN_LAST)
                .filter(number -> number != FCHMODAT2)
                .forEach(number -> rules.add(SyscallRule.answer(number, ENOSYS)));
        return rules;
    }

    /// `clone3` has its flags in memory, where no filter sees them; told that it does not exist, C
    /// libraries use `clone`.
    private static List<SyscallRule> processes() {
        var rules = new ArrayList<SyscallRule>();
        rules.add(SyscallRule.answer("clone3", ENOSYS));
        rules.add(SyscallRule.allow("clone", ArgumentCondition.masked(0, NEW_NAMESPACES, 0)));
        rules.add(SyscallRule.allow("prctl", ArgumentCondition.is(0, PRCTL_OPTIONS)));
        rules.add(SyscallRule.allow("personality", ArgumentCondition.is(0, PERSONALITIES)));
        return rules;
    }

    private static List<SyscallRule> nodes() {
        return List.of(
                SyscallRule.allow("mknod", ArgumentCondition.masked(1, FILE_TYPE, FILE_TYPES)),
                SyscallRule.allow("mknodat", ArgumentCondition.masked(2, FILE_TYPE, FILE_TYPES)));
    }

    /// Moving pages between descriptors has let programs write to files they could only read.
    /// `EINVAL` is what the kernel says of descriptors that cannot do it: programs then copy, and
    /// some do so after no other answer.
    private static List<SyscallRule> pipes() {
        return List.of(SyscallRule.answer("splice", EINVAL), SyscallRule.answer("tee", EINVAL));
    }

    private static List<SyscallRule> sockets() {
        var internet = ArgumentCondition.is(0, AF_INET, AF_INET6);
        return List.of(
                SyscallRule.allow(
                        "socket",
                        internet,
                        ArgumentCondition.masked(1, SOCKET_TYPE, SOCK_STREAM),
                        ArgumentCondition.is(2, STREAM_PROTOCOLS)),
                SyscallRule.allow(
                        "socket",
                        internet,
                        ArgumentCondition.masked(1, SOCKET_TYPE, SOCK_DGRAM),
                        ArgumentCondition.is(2, DATAGRAM_PROTOCOLS)),
                SyscallRule.allow(
                        "socket",
                        ArgumentCondition.is(0, AF_NETLINK),
                        ArgumentCondition.masked(1, SOCKET_TYPE, SOCK_RAW, SOCK_DGRAM),
                        ArgumentCondition.is(2, NETLINK_ROUTE)));
    }

    /// Landlock's calls can only take rights away from who makes them. Without it datagrams are
    /// refused also in pairs: one of such a pair can be parted from the other and given a name. A
    /// connected one cannot listen, whatever its name.
    private static List<SyscallRule> unixSockets(UnixSockets unix) {
        var local =
                ArgumentCondition.masked(1, SOCKET_TYPE, SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET);
        var connected = ArgumentCondition.masked(1, SOCKET_TYPE, SOCK_STREAM, SOCK_SEQPACKET);
        return switch (unix) {
            case PRIVATE_PLACES ->
                    List.of(
                            SyscallRule.allow("socket", ArgumentCondition.is(0, AF_UNIX), local),
                            SyscallRule.allow(
                                    "socketpair", ArgumentCondition.is(0, AF_UNIX), local),
                            SyscallRule.allow(NumberedCalls.LANDLOCK_CREATE_RULESET.number()),
                            SyscallRule.allow(NumberedCalls.LANDLOCK_ADD_RULE.number()),
                            SyscallRule.allow(NumberedCalls.LANDLOCK_RESTRICT_SELF.number()));
            case PAIRS_ONLY ->
                    List.of(
                            SyscallRule.answer(
                                    "socket", EAFNOSUPPORT, ArgumentCondition.is(0, AF_UNIX)),
                            SyscallRule.allow(
                                    "socketpair", ArgumentCondition.is(0, AF_UNIX), connected));
        };
    }

    private static List<String> words(String text) {
        return List.of(text.strip().split("\\s+", -1));
    }
}

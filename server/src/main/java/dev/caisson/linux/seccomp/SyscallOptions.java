package dev.caisson.linux.seccomp;

import java.util.List;

/// System calls that are many in one: `ioctl`, `fcntl` and `setsockopt` do hundreds of things by a
/// number. What programs use is listed; all else is answered as the kernel answers a number that it
/// does not know, so that programs go on without it.
final class SyscallOptions {
    /// Terminals, their owners and sizes: `TCGETS` to `TCSETSF`, `TCSBRK`, `TCXONC`, `TCFLSH`,
    /// `TIOCSCTTY`, `TIOCGPGRP`, `TIOCSPGRP`, `TIOCOUTQ`, `TIOCGWINSZ`, `TIOCSWINSZ`, `TIOCNOTTY`,
    /// `TIOCGSID`, `TCGETS2` to `TCSETSF2`, `TIOCGPTN`, `TIOCSPTLCK`, `TIOCGPTLCK`, `TIOCGPTPEER`.
    /// Not those that type into one, change its protocol or concern consoles.
    private static final int[] TERMINAL_REQUESTS = {
        0x5401,
        0x5402,
        0x5403,
        0x5404,
        0x5409,
        0x540A,
        0x540B,
        0x540E,
        0x540F,
        0x5410,
        0x5411,
        0x5413,
        0x5414,
        0x5422,
        0x5429,
        0x802C542A,
        0x402C542B,
        0x402C542C,
        0x402C542D,
        0x80045430,
        0x40045431,
        0x80045439,
        0x5441
    };

    /// Every descriptor: `FIONREAD`, `FIONBIO`, `FIONCLEX`, `FIOCLEX`, `FIOASYNC`.
    private static final int[] DESCRIPTOR_REQUESTS = {0x541B, 0x5421, 0x5450, 0x5451, 0x5452};

    /// Questions about interfaces and connections: `SIOCATMARK`, `SIOCGIFNAME`, `SIOCGIFCONF`,
    /// `SIOCGIFFLAGS`, `SIOCGIFADDR`, `SIOCGIFBRDADDR`, `SIOCGIFNETMASK`, `SIOCGIFMTU`,
    /// `SIOCGIFHWADDR`, `SIOCGIFINDEX`.
    private static final int[] NETWORK_REQUESTS = {
        0x8905, 0x8910, 0x8912, 0x8913, 0x8915, 0x8919, 0x891B, 0x8921, 0x8927, 0x8933
    };

    /// Copies, flags, locks (also those of open files), owners of signals, sizes of pipes, seals.
    /// Not leases and notices of directories, by which one who may read a file holds up all others,
    /// and the signals of those.
    private static final int[] FILE_COMMANDS = {
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 36, 37, 38, 1030, 1031, 1032, 1033, 1034
    };

    private static final int SOL_SOCKET = 1;

    /// Addresses and ports used again, broadcast, buffers, keep-alive, urgent data, priority,
    /// linger, credentials, low-water mark, time limits, time stamps, losses. Not those that load a
    /// program into the kernel, of which freeing many at once can stop a host, nor those that lend
    /// it pages.
    private static final int[] SOCKET_OPTIONS = {
        2, 5, 6, 7, 8, 9, 10, 12, 13, 15, 16, 18, 20, 21, 29, 35, 40, 66, 67
    };

    private static final int IPPROTO_IP = 0;

    /// Type of service, hops, packet information, path MTU, errors, late ports, multicast. Not
    /// options of packets, IPsec and tables.
    private static final int[] IP_OPTIONS = {
        1, 2, 8, 10, 11, 12, 13, 24, 32, 33, 34, 35, 36, 42, 45, 49
    };

    private static final int IPPROTO_TCP = 6;

    /// Delay, segments, cork, keep-alive, patience, deferred accept, window, quick acknowledgement,
    /// time limit, fast open, low-water mark, bytes waiting. Not protocols of the kernel's own on
    /// top, nor signatures and repair.
    private static final int[] TCP_OPTIONS = {
        1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 18, 23, 25, 30, 36
    };

    private static final int IPPROTO_UDP = 17;

    /// Cork. Not encapsulation.
    private static final int[] UDP_OPTIONS = {1};

    private static final int IPPROTO_IPV6 = 41;

    /// As for IP, and IPv6 alone.
    private static final int[] IPV6_OPTIONS = {
        16, 17, 18, 19, 20, 21, 23, 24, 25, 26, 29, 42, 45, 49, 51, 62, 66, 67
    };

    private SyscallOptions() {}

    static List<SyscallRule> rules() {
        return List.of(
                SyscallRule.allow("ioctl", ArgumentCondition.is(1, TERMINAL_REQUESTS)),
                SyscallRule.allow("ioctl", ArgumentCondition.is(1, DESCRIPTOR_REQUESTS)),
                SyscallRule.allow("ioctl", ArgumentCondition.is(1, NETWORK_REQUESTS)),
                SyscallRule.answer("ioctl", SyscallPolicy.ENOTTY),
                SyscallRule.allow("fcntl", ArgumentCondition.is(1, FILE_COMMANDS)),
                SyscallRule.answer("fcntl", SyscallPolicy.EINVAL),
                socketOptions(SOL_SOCKET, SOCKET_OPTIONS),
                socketOptions(IPPROTO_TCP, TCP_OPTIONS),
                socketOptions(IPPROTO_IP, IP_OPTIONS),
                socketOptions(IPPROTO_IPV6, IPV6_OPTIONS),
                socketOptions(IPPROTO_UDP, UDP_OPTIONS),
                SyscallRule.answer("setsockopt", SyscallPolicy.ENOPROTOOPT));
    }

    private static SyscallRule socketOptions(int level, int[] options) {
        return SyscallRule.allow(
                "setsockopt", ArgumentCondition.is(1, level), ArgumentCondition.is(2, options));
    }
}

package dev.caisson.linux;

import dev.caisson.linux.calls.Kernel;
import dev.caisson.linux.seccomp.LibSeccomp;
import dev.caisson.linux.seccomp.SyscallCompiler;
import dev.caisson.linux.seccomp.SyscallPolicy;
import dev.caisson.linux.seccomp.SyscallRule;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Seccomp filter: the [policy][SyscallPolicy] as a program the kernel runs before every system
/// call of a sandbox, in the form bubblewrap's `--seccomp` reads from a descriptor.
public final class SyscallFilter {
    private SyscallFilter() {}

    /// What this host lacks for the filter, and what to do about it.
    public static Optional<String> missing() {
        try (var arena = Arena.ofConfined()) {
            boolean kernel = new Kernel(arena).prctlNow(21 /* PR_GET_SECCOMP */, 0) >= 0;
            if (!kernel) {
                return Optional.of(
                        "The kernel has no system call filters: use one with CONFIG_SECCOMP_FILTER.");
            }
        }
        var library = LibSeccomp.open();
        library.ifPresent(LibSeccomp::close);
        return library.isPresent()
                ? Optional.empty()
                : Optional.of(
                        "libseccomp.so.2 is not installed: install the package libseccomp2 (or libseccomp).");
    }

    /// Compiles the policy for this machine. Takes some milliseconds: once per server is enough.
    public static byte[] compile(UnixSockets unix) {
        try (var library =
                LibSeccomp.open()
                        .orElseThrow(() -> new IllegalStateException("libseccomp is missing"))) {
            var rules = byNumber(SyscallPolicy.rules(unix), library);
            return SyscallCompiler.compile(library.architecture(), rules, SyscallPolicy.EPERM);
        }
    }

    /// The same for a nest, which makes sandboxes: what programs may, and the few calls it needs
    /// for that. What it starts in a sandbox gets the filter of programs on top.
    public static byte[] compileForNest(UnixSockets unix) {
        try (var library =
                LibSeccomp.open()
                        .orElseThrow(() -> new IllegalStateException("libseccomp is missing"))) {
            var rules = byNumber(SyscallPolicy.nestRules(unix), library);
            return SyscallCompiler.compile(library.architecture(), rules, SyscallPolicy.EPERM);
        }
    }

    private static SortedMap<Integer, List<SyscallRule>> byNumber(
            List<SyscallRule> rules, LibSeccomp library) {
        var byNumber = new TreeMap<Integer, List<SyscallRule>>();
        for (var rule : rules) {
            int number =
                    switch (rule.call()) {
                        case SyscallRule.Call.Named(String name) -> library.number(name);
                        case SyscallRule.Call.Numbered(int given) -> given;
                    };
            if (number >= 0) {
                byNumber.computeIfAbsent(number, _ -> new ArrayList<>()).add(rule);
            }
        }
        return byNumber;
    }
}

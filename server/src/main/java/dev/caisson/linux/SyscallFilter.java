package dev.caisson.linux;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// The [policy][SyscallPolicy] as a program the kernel runs before every system call of a sandbox,
/// in the form bubblewrap's `--seccomp` reads from a descriptor.
public final class SyscallFilter {
    private static final int ALLOW = 0x7fff0000;
    private static final int ERRNO = 0x00050000;
    private static final int ATTRIBUTE_BAD_ARCHITECTURE = 2;
    private static final int ATTRIBUTE_OPTIMIZE = 8;
    private static final int OPTIMIZE_AS_TREE = 2;

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
        var library = LibSeccomp.open(ERRNO | SyscallPolicy.EPERM);
        library.ifPresent(LibSeccomp::close);
        return library.isPresent()
                ? Optional.empty()
                : Optional.of(
                        "libseccomp.so.2 is not installed: install the package libseccomp2 (or libseccomp).");
    }

    /// Compiles the policy for this machine. Takes some milliseconds: once per server is enough.
    public static byte[] compile() {
        try (var library =
                LibSeccomp.open(ERRNO | SyscallPolicy.EPERM)
                        .orElseThrow(() -> new IllegalStateException("libseccomp is missing"))) {
            library.attribute(ATTRIBUTE_BAD_ARCHITECTURE, ERRNO | SyscallPolicy.EPERM);
            library.attribute(ATTRIBUTE_OPTIMIZE, OPTIMIZE_AS_TREE);
            SyscallPolicy.rules().forEach(rule -> add(library, rule));
            return export(library);
        }
    }

    private static void add(LibSeccomp library, SyscallRule rule) {
        int number =
                switch (rule.call()) {
                    case SyscallRule.Call.Named(String name) -> library.number(name);
                    case SyscallRule.Call.Numbered(int given) -> given;
                };
        if (number >= 0) {
            int action = rule.errno().isPresent() ? ERRNO | rule.errno().getAsInt() : ALLOW;
            library.rule(action, number, rule.tests());
        }
    }

    /// Through a file in memory, which the library writes to.
    private static byte[] export(LibSeccomp library) {
        try (var arena = Arena.ofConfined()) {
            var kernel = new Kernel(arena);
            int memory = kernel.memfd("syscall-filter");
            try {
                library.export(memory);
                return Files.readAllBytes(Path.of("/proc/self/fd/" + memory));
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            } finally {
                kernel.closeNow(memory);
            }
        }
    }
}

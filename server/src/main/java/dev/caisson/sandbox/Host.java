package dev.caisson.sandbox;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// What this machine has that a sandbox is made of, read once.
///
/// @param runtime the server's own directory of read-only parts, see [SharedParts]
/// @param programs where bubblewrap and its helpers are
/// @param hiddenFiles entries of `/proc` that exist here and are covered
/// @param hiddenDirectories the same for directories
/// @param privileged whether the server may change users and attach file systems
record Host(
        Path runtime,
        Programs programs,
        List<String> hiddenFiles,
        List<String> hiddenDirectories,
        boolean privileged) {
    /// What any user may read. Files of root's alone are refused to a sandbox as they are, and
    /// every cover costs time.
    private static final List<String> HIDDEN_FILES =
            List.of(
                    "kallsyms",
                    "kcore",
                    "keys",
                    "key-users",
                    "timer_stats",
                    "sched_debug",
                    "latency_stats",
                    "config.gz",
                    "cmdline",
                    "partitions",
                    "diskstats",
                    "interrupts",
                    "locks");

    private static final List<String> HIDDEN_DIRECTORIES =
            List.of("asound", "bus", "fs", "irq", "pressure", "scsi");

    Host {
        hiddenFiles = List.copyOf(hiddenFiles);
        hiddenDirectories = List.copyOf(hiddenDirectories);
    }

    /// @param shell a POSIX shell, which joins the control group and opens descriptors
    record Programs(Path shell, Path prlimit, Path setpriv, Path bubblewrap) {
        private static final Map<String, String> PACKAGES =
                Map.of(
                        "sh", "dash",
                        "prlimit", "util-linux",
                        "setpriv", "util-linux",
                        "bwrap", "bubblewrap");

        /// The programs a sandbox is made with, where they are or would be.
        static Programs find() {
            return new Programs(find("sh"), find("prlimit"), find("setpriv"), find("bwrap"));
        }

        private static Path find(String name) {
            return Stream.of("/usr/bin", "/bin", "/usr/local/bin", "/usr/sbin", "/sbin")
                    .map(directory -> Path.of(directory, name))
                    .filter(Files::isExecutable)
                    .findFirst()
                    .orElse(Path.of("/usr/bin", name));
        }

        /// The first that is not there, and how to get it.
        Optional<String> missing() {
            return Stream.of(shell, prlimit, setpriv, bubblewrap)
                    .filter(program -> !Files.isExecutable(program))
                    .findFirst()
                    .map(program -> missing(program.getFileName().toString()));
        }

        private static String missing(String name) {
            return "the program %s is missing; to install it: sudo apt-get install -y %s"
                    .formatted(name, PACKAGES.get(name));
        }
    }

    /// What does not exist cannot be covered, so the lists hold what does.
    static Host read(Path runtime, Programs programs, boolean privileged) {
        return new Host(
                runtime,
                programs,
                existing(HIDDEN_FILES),
                existing(HIDDEN_DIRECTORIES),
                privileged);
    }

    private static List<String> existing(List<String> names) {
        return names.stream().filter(name -> Files.exists(Path.of("/proc", name))).toList();
    }
}

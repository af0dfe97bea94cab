package dev.caisson.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// Host inventory: what this machine has that a sandbox is made of, read once.
///
/// @param runtime the server's own directory of read-only parts, see [SharedParts]
/// @param programs where bubblewrap and its helpers are
/// @param hiddenFiles entries of `/proc` that exist here and are covered
/// @param hiddenDirectories the same for directories
/// @param privileged whether the server may change users and attach file systems
/// @param unshare the program by which a plain user's sandbox gets file systems of its own; empty
///   where it may not, and where nobody needs it
public record Host(
        Path runtime,
        Programs programs,
        List<String> hiddenFiles,
        List<String> hiddenDirectories,
        boolean privileged,
        Optional<Path> unshare) {
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

    private static final long TRIAL_SECONDS_MAX = 10;

    private static final List<String> HIDDEN_DIRECTORIES =
            List.of("asound", "bus", "fs", "irq", "pressure", "scsi");

    public Host {
        hiddenFiles = List.copyOf(hiddenFiles);
        hiddenDirectories = List.copyOf(hiddenDirectories);
    }

    /// @param shell a POSIX shell, which joins the control group and opens descriptors
    public record Programs(Path shell, Path prlimit, Path setpriv, Path bubblewrap) {
        private static final Map<String, String> PACKAGES =
                Map.of(
                        "sh", "dash",
                        "prlimit", "util-linux",
                        "setpriv", "util-linux",
                        "bwrap", "bubblewrap");

        /// The programs a sandbox is made with, where they are or would be.
        public static Programs find() {
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
        public Optional<String> missing() {
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

    /// What the kernel counts for a user and all namespaces below it, and how much there may be.
    /// Namespaces are counted too; no program makes any.
    Map<String, Long> userLimits() {
        var limits = new TreeMap<String, Long>();
        for (var name : List.of("max_inotify_instances", "max_inotify_watches")) {
            number(Path.of("/proc/sys/user", name)).ifPresent(most -> limits.put(name, most));
        }
        return limits;
    }

    /// Empty on a kernel that does not count it, and so does not limit it.
    private static Optional<Long> number(Path file) {
        try {
            return Optional.of(Long.parseLong(Files.readString(file).strip()));
        } catch (IOException | NumberFormatException unknown) {
            return Optional.empty();
        }
    }

    /// What does not exist cannot be covered, so the lists hold what does.
    public static Host read(Path runtime, Programs programs, boolean privileged) {
        return new Host(
                runtime,
                programs,
                existing(HIDDEN_FILES),
                existing(HIDDEN_DIRECTORIES),
                privileged,
                privileged ? Optional.empty() : unshare(runtime));
    }

    /// Some hosts let plain users have namespaces but no mounts in them; a trial shows it.
    private static Optional<Path> unshare(Path runtime) {
        var program = Programs.find("unshare");
        var trial =
                List.of(
                        program.toString(),
                        "--user",
                        "--map-root-user",
                        "--mount",
                        "mount",
                        "-t",
                        "tmpfs",
                        "-o",
                        "size=1m,nr_inodes=16",
                        "tmpfs",
                        runtime.toString());
        try {
            var tried =
                    new ProcessBuilder(trial)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
            boolean ended = tried.waitFor(TRIAL_SECONDS_MAX, TimeUnit.SECONDS);
            tried.destroyForcibly();
            return ended && tried.exitValue() == 0 ? Optional.of(program) : Optional.empty();
        } catch (IOException absent) {
            return Optional.empty();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private static List<String> existing(List<String> names) {
        return names.stream().filter(name -> Files.exists(Path.of("/proc", name))).toList();
    }
}

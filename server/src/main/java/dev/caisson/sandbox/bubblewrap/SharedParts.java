package dev.caisson.sandbox.bubblewrap;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;

/// Shared read-only parts that every sandbox is shown, made once when the server starts:
///
/// - `etc/`: names and settings without anything of the host but what its libraries need;
/// - `guest/`: our runners;
/// - `proc1/`: the stand-in for process 1;
/// - `empty/`: covers directories;
/// - `filter`: the compiled filter for system calls.
///
/// All of it belongs to the server and can be read by everyone.
public final class SharedParts {
    private static final Map<String, String> ETC =
            Map.of(
                    "passwd",
                    """
                    root:x:0:0:root:/root:/usr/sbin/nologin
                    sandbox:x:1000:1000:sandbox:/workspace:/bin/bash
                    nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin
                    """,
                    "group",
                    "root:x:0:\nsandbox:x:1000:\nnogroup:x:65534:\n",
                    "hosts",
                    "127.0.0.1 localhost sandbox\n::1 localhost\n",
                    "hostname",
                    "sandbox\n",
                    "nsswitch.conf",
                    "passwd: files\ngroup: files\nhosts: files dns\n",
                    "resolv.conf",
                    "",
                    "profile",
                    "",
                    "bash.bashrc",
                    "");

    /// What the host's libraries and programs look for; shown as it is, links not followed.
    private static final List<String> ETC_OF_HOST =
            List.of(
                    "alternatives",
                    "fonts",
                    "ld.so.cache",
                    "ld.so.conf",
                    "matplotlibrc",
                    "mime.types",
                    "protocols",
                    "services");

    /// The fields of process 1 that tools read; constant, so that they tell nothing.
    private static final Map<String, String> PROCESS_ONE =
            Map.of(
                    "stat",
                    "1 (init) S 0 1 1 0 -1 4194560 0 0 0 0 0 0 0 0 20 0 1 0 0"
                            + " 0".repeat(30)
                            + "\n",
                    "status",
                    "Name:\tinit\nState:\tS (sleeping)\nTgid:\t1\nPid:\t1\nPPid:\t0\nUid:\t1000\t1000\t1000\t1000\nGid:\t1000\t1000\t1000\t1000\nThreads:\t1\n",
                    "statm",
                    "0 0 0 0 0 0 0\n",
                    "comm",
                    "init\n",
                    "cmdline",
                    "init\0",
                    "environ",
                    "",
                    "cgroup",
                    "");

    private SharedParts() {}

    /// @param directory made if it is not there; what is in it is replaced
    /// @param guests the product's `guests` directory
    public static void prepare(Path directory, Path guests) {
        try {
            ServerDirectories.delete(directory);
            ServerDirectories.directory(directory);
            ServerDirectories.directory(directory.resolve("empty"));
            write(directory.resolve("etc"), ETC);
            write(directory.resolve("proc1"), PROCESS_ONE);
            for (var name : ETC_OF_HOST) {
                copyIfThere(Path.of("/etc", name), directory.resolve("etc").resolve(name));
            }
            Files.createSymbolicLink(
                    directory.resolve("etc/localtime"), Path.of("/usr/share/zoneinfo/Etc/UTC"));
            if (Files.exists(guests)) {
                // A link to them would be copied as one, and written through.
                copyIfThere(guests.toRealPath(), directory.resolve("guest"));
            }
            // Nests cover process 1 by themselves, with what they find inside.
            ServerDirectories.directory(directory.resolve("guest/nest"));
            write(directory.resolve("guest/nest/proc1"), PROCESS_ONE);
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot prepare " + directory, failed);
        }
    }

    /// @param filter compiled; empty when there is none
    public static void filter(Path directory, byte[] filter) throws IOException {
        Files.write(directory.resolve("filter"), filter);
    }

    /// @param program the filter of programs
    /// @param nest the filter of nests
    public static void nestFilters(Path directory, byte[] program, byte[] nest) throws IOException {
        Files.write(directory.resolve("guest/nest/program.bpf"), program);
        Files.write(directory.resolve("guest/nest/nest.bpf"), nest);
    }

    private static void write(Path directory, Map<String, String> texts) throws IOException {
        ServerDirectories.directory(directory);
        for (var text : texts.entrySet()) {
            var file = directory.resolve(text.getKey());
            Files.writeString(file, text.getValue());
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        }
    }

    private static void copyIfThere(Path from, Path to) throws IOException {
        if (Files.exists(from)) {
            Files.walkFileTree(from, new Copy(from, to));
        }
    }

    private static final class Copy extends SimpleFileVisitor<Path> {
        private final Path from;
        private final Path to;

        Copy(Path from, Path to) {
            this.from = from;
            this.to = to;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
                throws IOException {
            ServerDirectories.directory(to.resolve(from.relativize(directory)));
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
            var target = from.equals(file) ? to : to.resolve(from.relativize(file));
            Files.copy(
                    file, target, LinkOption.NOFOLLOW_LINKS, StandardCopyOption.REPLACE_EXISTING);
            if (!attributes.isSymbolicLink()) {
                var mode = Files.isExecutable(file) ? "rwxr-xr-x" : "rw-r--r--";
                Files.setPosixFilePermissions(target, PosixFilePermissions.fromString(mode));
            }
            return FileVisitResult.CONTINUE;
        }
    }
}

package dev.caisson.linux.cgroup;

import dev.caisson.linux.calls.Kernel;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Mount points of control group trees, and the place of this process in them. The kind of a tree
/// is what the kernel says the file system is, never its path.
final class CgroupMounts {
    private static final long CGROUP_V1 = 0x27e0eb;
    private static final long CGROUP_V2 = 0x63677270;
    private static final Path PROC = Path.of("/proc/self");

    /// @param controllers of version 1; version 2 lists its own in a file
    record Tree(CgroupHierarchy.Version version, Set<String> controllers, Path root) {}

    private CgroupMounts() {}

    /// The trees at or below a directory.
    static List<Tree> below(Path directory) throws IOException {
        return Files.readAllLines(PROC.resolve("mountinfo")).stream()
                .map(line -> tree(directory, line))
                .flatMap(Optional::stream)
                .distinct()
                .toList();
    }

    /// `36 35 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory`.
    private static Optional<Tree> tree(Path directory, String line) {
        var words = List.of(line.split(" ", -1));
        var root = Path.of(words.get(4));
        if (!root.startsWith(directory)) {
            return Optional.empty();
        }
        return version(root)
                .map(version ->
                        new Tree(
                                version,
                                new HashSet<>(Arrays.asList(words.getLast().split(",", -1))),
                                root));
    }

    private static Optional<CgroupHierarchy.Version> version(Path root) {
        try (var arena = Arena.ofConfined()) {
            long type = new Kernel(arena).fileSystemType(root.toString()).orElse(0L);
            if (type == CGROUP_V2) {
                return Optional.of(CgroupHierarchy.Version.V2);
            }
            return type == CGROUP_V1 ? Optional.of(CgroupHierarchy.Version.V1) : Optional.empty();
        }
    }

    /// This process's own group in a tree. Lines are `4:memory:/path`, and `0::/path` for version
    /// 2.
    static Optional<Path> ownGroup(Tree tree) throws IOException {
        for (var line : Files.readAllLines(PROC.resolve("cgroup"))) {
            var words = List.of(line.split(":", 3));
            var controllers = Arrays.asList(words.get(1).split(",", -1));
            boolean same =
                    switch (tree.version()) {
                        case V1 ->
                                !words.get(1).isEmpty()
                                        && tree.controllers().containsAll(controllers);
                        case V2 -> words.get(0).equals("0");
                    };
            if (same) {
                return Optional.of(tree.root().resolve(words.get(2).substring(1)));
            }
        }
        return Optional.empty();
    }
}

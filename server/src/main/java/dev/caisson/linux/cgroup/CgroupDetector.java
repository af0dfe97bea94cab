package dev.caisson.linux.cgroup;

import dev.caisson.linux.Cgroups;
import dev.caisson.linux.ServerToken;
import dev.caisson.linux.calls.KernelFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Detector of control groups: finds out what kind this host has, and prepares the directory
/// `caisson` in each tree: below the root of the tree when it is writable, else `caisson-<uid>`
/// there when it was given to this user, else below the group this process is in, when that was
/// delegated to it.
///
/// In version 2 a group that passes controllers on has no processes of its own. So this process
/// moves into a leaf of its delegated group first, as the kernel's rules of delegation want it.
public final class CgroupDetector {
    private static final String PARENT = "caisson";

    /// Where the server itself is, beside the groups it makes.
    private static final String LEAF = "caisson-server";

    private static final Path SELF = Path.of("/proc/self");
    private static final Map<Cgroups.Power, String> CONTROLLERS =
            Map.of(
                    Cgroups.Power.MEMORY, "memory",
                    Cgroups.Power.PROCESSES, "pids",
                    Cgroups.Power.CPU, "cpu");

    /// Useful, not promised: processor time is measured with the first, and the second helps to
    /// kill where the kernel cannot kill a whole group.
    private static final Set<String> HELPERS = Set.of("cpuacct", "freezer");

    /// Divides the disk between groups, on some kernels.
    private static final String DISK = "io";

    private CgroupDetector() {}

    public static Cgroups detect(Path root, ServerToken owner) {
        try {
            var trees = CgroupMounts.below(root);
            boolean first = trees.stream().anyMatch(CgroupDetector::limitsByVersion1);
            var hierarchies = first ? version1(trees) : version2(trees);
            return hierarchies.isEmpty()
                    ? new AbsentCgroups(whyNone(root, trees))
                    : mounted(hierarchies, owner);
        } catch (IOException failed) {
            return new AbsentCgroups(
                    "Control groups cannot be looked at: %s.".formatted(failed.getMessage()));
        }
    }

    private static boolean limitsByVersion1(CgroupMounts.Tree tree) {
        return tree.version() == CgroupHierarchy.Version.V1
                && tree.controllers().stream().anyMatch(CONTROLLERS::containsValue);
    }

    private static String whyNone(Path root, List<CgroupMounts.Tree> trees) {
        return trees.isEmpty()
                ? "No control groups are mounted at %s: mount them, or run on a host that has them."
                        .formatted(root)
                : "No control group can be made below %s by this user: run the server as root, or delegate a group to it."
                        .formatted(root);
    }

    /// Version 1, with a version 2 tree beside it when nothing else keeps a group still while it is
    /// killed: even without a controller it can kill a whole group, but joining it takes as long as
    /// all the rest of a start.
    private static List<CgroupHierarchy> version1(List<CgroupMounts.Tree> trees)
            throws IOException {
        var found = new ArrayList<CgroupHierarchy>();
        for (var tree : trees) {
            var useful = new HashSet<>(tree.controllers());
            useful.removeIf(word -> !CONTROLLERS.containsValue(word) && !HELPERS.contains(word));
            boolean beside = tree.version() == CgroupHierarchy.Version.V2;
            if (dividesDisk(tree)) {
                useful.add("blkio");
            }
            if (beside || !useful.isEmpty()) {
                prepare(tree)
                        .map(parent -> new CgroupHierarchy(tree.version(), useful, parent))
                        .ifPresent(found::add);
            }
        }
        if (found.stream().anyMatch(one -> one.controllers().contains("freezer"))) {
            found.removeIf(one -> one.version() == CgroupHierarchy.Version.V2);
        }
        found.sort(Comparator.comparing(CgroupHierarchy::version));
        boolean limits =
                found.stream().anyMatch(one -> one.version() == CgroupHierarchy.Version.V1);
        return limits ? found : List.of();
    }

    /// A tree whose weights no disk heeds is not worth joining.
    private static boolean dividesDisk(CgroupMounts.Tree tree) throws IOException {
        if (!tree.controllers().contains("blkio")) {
            return false;
        }
        try (var disks = Files.newDirectoryStream(Path.of("/sys/block"))) {
            for (var disk : disks) {
                var scheduler = disk.resolve("queue").resolve("scheduler");
                if (Files.exists(scheduler) && KernelFiles.read(scheduler).contains("[bfq]")) {
                    return true;
                }
            }
        }
        return false;
    }

    private static List<CgroupHierarchy> version2(List<CgroupMounts.Tree> trees)
            throws IOException {
        for (var tree : trees) {
            var parent = prepare(tree);
            if (parent.isPresent()) {
                enable(parent.get());
                var controllers =
                        Set.of(
                                KernelFiles.read(parent.get().resolve("cgroup.subtree_control"))
                                        .split(" ", -1));
                return List.of(new CgroupHierarchy(tree.version(), controllers, parent.get()));
            }
        }
        return List.of();
    }

    /// The directory groups are made in; empty when this user can make none in the tree.
    private static Optional<Path> prepare(CgroupMounts.Tree tree) throws IOException {
        var atRoot = parent(tree.root());
        if (atRoot.isPresent()) {
            return atRoot;
        }
        var given = tree.root().resolve(givenTo(Files.getAttribute(SELF, "unix:uid")));
        if (tree.version() == CgroupHierarchy.Version.V1 && Files.isWritable(given)) {
            return Optional.of(given);
        }
        // In the leaf already: its parent is what was delegated.
        var own =
                CgroupMounts.ownGroup(tree)
                        .map(group ->
                                group.endsWith(LEAF)
                                        ? group.resolveSibling(".").normalize()
                                        : group);
        if (own.isPresent() && tree.version() == CgroupHierarchy.Version.V2) {
            leave(own.get());
        }
        return own.isPresent() ? parent(own.get()) : Optional.empty();
    }

    /// The directory an administrator makes for a user, in trees of version 1.
    private static String givenTo(Object uid) {
        return PARENT + "-" + uid;
    }

    private static Optional<Path> parent(Path place) throws IOException {
        var parent = place.resolve(PARENT);
        if (!Files.isWritable(Files.exists(parent) ? parent : place)) {
            return Optional.empty();
        }
        Files.createDirectories(parent);
        return Optional.of(parent);
    }

    /// Moves all processes of a delegated group into a leaf of it. Where that is refused, the
    /// controllers are missing later, with their reason.
    private static void leave(Path group) throws IOException {
        var processes = group.resolve("cgroup.procs");
        if (!Files.isWritable(group) || !Files.isWritable(processes)) {
            return;
        }
        var leaf = Files.createDirectories(group.resolve(LEAF)).resolve("cgroup.procs");
        for (int pid : KernelFiles.processes(group)) {
            try {
                KernelFiles.write(leaf, Integer.toString(pid));
            } catch (UncheckedIOException gone) {
                // It has ended, or is not this user's to move.
            }
        }
    }

    /// A controller works in a group only when every group above it passes it on. One that cannot
    /// be passed on is missing later, with its reason.
    private static void enable(Path parent) {
        var wanted = Stream.concat(CONTROLLERS.values().stream(), Stream.of(DISK)).toList();
        for (var controller : wanted) {
            for (var directory : List.of(parent.resolveSibling("."), parent)) {
                try {
                    KernelFiles.write(
                            directory.resolve("cgroup.subtree_control"), "+" + controller);
                } catch (UncheckedIOException refused) {
                    break;
                }
            }
        }
    }

    private static Cgroups mounted(List<CgroupHierarchy> hierarchies, ServerToken owner) {
        var missing = new EnumMap<Cgroups.Power, String>(Cgroups.Power.class);
        CONTROLLERS.forEach((power, controller) -> {
            if (hierarchies.stream().noneMatch(h -> h.controllers().contains(controller))) {
                missing.put(power, why(controller));
            }
        });
        swapEscapes(hierarchies).ifPresent(why -> missing.putIfAbsent(Cgroups.Power.MEMORY, why));
        return new MountedCgroups(hierarchies, missing, describe(hierarchies), owner);
    }

    private static String why(String controller) {
        return "The control group controller \"%s\" is not available to this server: enable it in the kernel or delegate it (systemd: Delegate=yes), and run the server as root or as its owner."
                .formatted(controller);
    }

    /// On a host with swap, memory is not limited unless swap is counted too.
    private static Optional<String> swapEscapes(List<CgroupHierarchy> hierarchies) {
        boolean swap =
                KernelFiles.existing(Path.of("/proc/swaps"))
                        .map(file -> KernelFiles.read(file).lines().count() > 1)
                        .orElse(false);
        boolean counted =
                hierarchies.stream()
                        .filter(hierarchy -> hierarchy.controllers().contains("memory"))
                        .map(CgroupHierarchy::parent)
                        .allMatch(parent ->
                                Files.exists(parent.resolve("memory.memsw.limit_in_bytes"))
                                        || Files.exists(parent.resolve("memory.swap.max")));
        return swap && !counted
                ? Optional.of(
                        "The kernel does not count swap, so a memory limit could be escaped: turn swap off, or boot with swapaccount=1.")
                : Optional.empty();
    }

    private static String describe(List<CgroupHierarchy> hierarchies) {
        boolean second = hierarchies.getFirst().version() == CgroupHierarchy.Version.V2;
        boolean both = !second && hierarchies.getLast().version() == CgroupHierarchy.Version.V2;
        var places = hierarchies.stream().map(one -> one.parent().toString()).toList();
        return "control groups %s: %s"
                .formatted(
                        second ? "version 2" : both ? "version 1 and 2" : "version 1",
                        String.join(", ", places));
    }
}

package dev.caisson.sandbox.doctor;

import dev.caisson.call.LaunchCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Facts of this host that decide what to type where an isolation layer is missing.
///
/// @param user the number of the user the server runs as
/// @param command how the product is started
/// @param trees control group trees of version 1 that limit programs; empty with version 2
/// @param unified whether control groups are of version 2
/// @param userManager whether systemd runs services of this user
/// @param loopDevices whether there are any
/// @param blockedNamespaces the kernel setting that keeps plain users from making namespaces
record HostFacts(
        int user,
        String command,
        List<Path> trees,
        boolean unified,
        boolean userManager,
        boolean loopDevices,
        Optional<String> blockedNamespaces) {
    private static final Path GROUPS = Path.of("/sys/fs/cgroup");
    private static final List<String> CONTROLLERS =
            List.of("memory", "pids", "cpu", "cpuacct", "freezer");

    /// Settings that forbid namespaces, by the value that does so, with the one that allows them.
    private static final Map<String, List<String>> NAMESPACE_SETTINGS =
            Map.of(
                    "kernel/unprivileged_userns_clone", List.of("0", "1"),
                    "kernel/apparmor_restrict_unprivileged_userns", List.of("1", "0"),
                    "user/max_user_namespaces", List.of("0", "15000"));

    HostFacts {
        trees = List.copyOf(trees);
    }

    boolean root() {
        return user == 0;
    }

    static HostFacts read() {
        try {
            int user = (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
            return new HostFacts(
                    user,
                    LaunchCommand.word(),
                    limitingTrees(),
                    Files.exists(GROUPS.resolve("cgroup.controllers")),
                    Files.exists(Path.of("/run/user/" + user + "/systemd")),
                    Files.exists(Path.of("/dev/loop-control")),
                    blocked());
        } catch (IOException failed) {
            throw new UncheckedIOException("/proc cannot be read", failed);
        }
    }

    /// One directory may be the tree of two controllers, by a link.
    private static List<Path> limitingTrees() {
        return CONTROLLERS.stream()
                .map(GROUPS::resolve)
                .filter(Files::isDirectory)
                .map(HostFacts::real)
                .distinct()
                .toList();
    }

    private static Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException failed) {
            return path;
        }
    }

    private static Optional<String> blocked() {
        return NAMESPACE_SETTINGS.entrySet().stream()
                .filter(each -> value(each.getKey()).anyMatch(each.getValue().getFirst()::equals))
                .map(each -> each.getKey().replace('/', '.') + "=" + each.getValue().getLast())
                .sorted()
                .findFirst();
    }

    private static Stream<String> value(String setting) {
        try {
            return Stream.of(Files.readString(Path.of("/proc/sys", setting)).strip());
        } catch (IOException absent) {
            return Stream.empty();
        }
    }
}

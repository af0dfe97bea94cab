package dev.caisson.linux;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.Repository;
import dev.caisson.linux.calls.Privileges;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Without privileges every layer says what is missing, and none of them breaks the server.
@Tag("root")
class PlainUserTest {
    private static final String NOBODY = "65534";

    @TempDir Path directory;

    /// What runs as the plain user.
    static final class Probe {
        private Probe() {}

        static void main() throws IOException {
            say("late_attach", MountTool.missing().orElse("-"));
            say("workspace_quota", LoopImages.missing().orElse("-"));
            say("syscall_filter", SyscallFilter.missing().orElse("-"));
            say("exit_status", Reaper.missing().orElse("-"));
            var ids = new UserIds(Path.of("/run/caisson-nobody"), 200_000, 10);
            say("user_ids", ids.missing().orElse("-"));
            var groups = Cgroups.detect(Path.of("/sys/fs/cgroup"), ServerToken.own());
            for (var power : Cgroups.Power.values()) {
                say(power.name(), groups.missing(power).orElse("-"));
            }
            say("place", String.join(" ", Files.readAllLines(Path.of("/proc/self/cgroup"))));
        }

        private static void say(String layer, String why) {
            System.out.println(layer + ": " + why);
        }
    }

    @Test
    void every_layer_names_what_it_lacks() throws Exception {
        assertThat(probe("exec \"$@\"").lines())
                .hasSize(9)
                .anyMatch(line -> line.matches("late_attach: .*(setns|open_tree).*root.*"))
                .anyMatch(line -> line.matches("workspace_quota: .*root.*"))
                .anyMatch(line -> line.equals("syscall_filter: -"))
                .anyMatch(line -> line.equals("exit_status: -"))
                .anyMatch(line -> line.matches("user_ids: .*run it as root.*"))
                .anyMatch(line -> line.matches("MEMORY: .*root.*"))
                .anyMatch(line -> line.matches("PROCESSES: .*root.*"))
                .anyMatch(line -> line.matches("CPU: .*root.*"));
    }

    /// In version 1 a directory in each tree, in version 2 the group the process is in.
    @Test
    void what_an_administrator_gives_it_limits_programs() throws Exception {
        var given = new ArrayList<Path>();
        try {
            var unified = give(given);
            var join = unified.map(group -> "echo $$ > " + group + "/cgroup.procs && ").orElse("");
            var said = probe(join + "exec \"$@\"");
            assertThat(said.lines()).contains("MEMORY: -", "PROCESSES: -", "CPU: -");
            unified.ifPresent(
                    group -> assertThat(said).contains(group.getFileName() + "/caisson-server"));
        } finally {
            for (var group : given.reversed()) {
                remove(group);
            }
        }
    }

    /// @return the delegated group of version 2, where this host has that version
    private static Optional<Path> give(List<Path> given) throws IOException {
        Optional<Path> unified = Optional.empty();
        for (var line : Files.readAllLines(Path.of("/proc/mounts"))) {
            var words = List.of(line.split(" ", -1));
            var tree = Path.of(words.get(1));
            if (!tree.startsWith("/sys/fs/cgroup")) {
                continue;
            }
            if (words.get(2).equals("cgroup2")) {
                unified = Optional.of(tree.resolve("plain-user-" + ProcessHandle.current().pid()));
                own(unified.get(), given);
            } else if (words.get(2).equals("cgroup")) {
                own(tree.resolve("caisson-" + NOBODY), given);
            }
        }
        return unified;
    }

    private static void own(Path group, List<Path> given) throws IOException {
        Files.createDirectories(group);
        given.add(group);
        int user = Integer.parseInt(NOBODY);
        Files.setAttribute(group, "unix:uid", user);
        for (var name : List.of("cgroup.procs", "cgroup.subtree_control", "tasks")) {
            if (Files.exists(group.resolve(name))) {
                Files.setAttribute(group.resolve(name), "unix:uid", user);
            }
        }
    }

    /// Groups cannot be deleted file by file, only as directories, the inner ones first.
    private static void remove(Path group) throws IOException {
        try (var inner = Files.walk(group)) {
            for (var each : inner.filter(Files::isDirectory).toList().reversed()) {
                Files.delete(each);
            }
        }
    }

    /// @param shell starts it, as root
    private String probe(String shell) throws Exception {
        copyClasses();
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var command =
                List.of(
                        "sh",
                        "-c",
                        shell,
                        "sh",
                        "setpriv",
                        "--reuid=" + NOBODY,
                        "--regid=" + NOBODY,
                        "--clear-groups",
                        java,
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        directory.toString(),
                        Probe.class.getName());
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }

    /// The classes may lie where a plain user cannot read them.
    private void copyClasses() throws IOException {
        for (var loaded : List.of(Privileges.class, PlainUserTest.class)) {
            var root = Repository.classes(loaded);
            for (var room : List.of("dev/caisson/linux", "dev/caisson/call")) {
                copy(root.resolve(room), directory.resolve(room));
            }
        }
    }

    /// With its chambers.
    private static void copy(Path from, Path to) throws IOException {
        if (!Files.isDirectory(from)) {
            return;
        }
        try (var files = Files.walk(from)) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                var target = to.resolve(from.relativize(file));
                Files.createDirectories(target.getParent());
                Files.copy(file, target, REPLACE_EXISTING);
            }
        }
    }
}

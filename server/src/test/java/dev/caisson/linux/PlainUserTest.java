package dev.caisson.linux;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Without privileges every layer says what is missing, and none of them breaks the server.
class PlainUserTest {
    private static final String NOBODY = "65534";

    @TempDir Path directory;

    /// What runs as the plain user.
    static final class Probe {
        private Probe() {}

        static void main() {
            say("namespaces", Namespaces.missing().orElse("-"));
            say("no_new_privileges", NoNewPrivileges.missing().orElse("-"));
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
        }

        private static void say(String layer, String why) {
            System.out.println(layer + ": " + why);
        }
    }

    @Test
    void every_layer_names_what_it_lacks() throws Exception {
        copyClasses();
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var command =
                List.of(
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
        assertThat(said.lines())
                .hasSize(10)
                .anyMatch(line -> line.equals("namespaces: -"))
                .anyMatch(line -> line.equals("no_new_privileges: -"))
                .anyMatch(line -> line.matches("late_attach: .*(setns|open_tree).*root.*"))
                .anyMatch(line -> line.matches("workspace_quota: .*root.*"))
                .anyMatch(line -> line.equals("syscall_filter: -"))
                .anyMatch(line -> line.equals("exit_status: -"))
                .anyMatch(line -> line.matches("user_ids: .*run it as root.*"))
                .anyMatch(line -> line.matches("MEMORY: .*root.*"))
                .anyMatch(line -> line.matches("PROCESSES: .*root.*"))
                .anyMatch(line -> line.matches("CPU: .*root.*"));
    }

    /// The classes may lie where a plain user cannot read them.
    private void copyClasses() throws IOException {
        for (var root : List.of(Path.of("target/classes"), Path.of("target/test-classes"))) {
            for (var room : List.of("dev/caisson/linux", "dev/caisson/call")) {
                copy(root.resolve(room), directory.resolve(room));
            }
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        if (!Files.isDirectory(from)) {
            return;
        }
        Files.createDirectories(to);
        try (var files = Files.list(from)) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                Files.copy(file, to.resolve(file.getFileName().toString()), REPLACE_EXISTING);
            }
        }
    }
}

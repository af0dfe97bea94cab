package dev.caisson.acceptance.product;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.acceptance.judge.Repository;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `caisson package` makes what runs elsewhere: its own server starts from it and runs a program.
/// The start-up cache takes minutes to record and is left out here.
@Tag("root")
final class PackageTest {
    @TempDir Path directory;

    @Test
    void a_package_has_everything_and_its_server_runs_programs() throws Exception {
        var said =
                ran(
                        Repository.root().resolve("caisson").toString(),
                        "package",
                        "--no-cache",
                        "--check",
                        "--output",
                        directory.toString());
        assertThat(said).contains("checked: the packed server started, ran a program and stopped");

        var content = ran("tar", "-tzf", only(".tar.gz").toString());
        assertThat(content)
                .contains("/caisson\n", "/jre/bin/java\n", "/lib/caisson-server.jar\n")
                .contains("/guests/gate/gate\n", "/guests/nest/nest\n")
                .contains("/guests/nest/hatch.so\n", "/guests/nest/ending.so\n")
                .contains("/guests/python/", "/bom/server.cdx.json\n", "/caisson.service\n")
                .contains("/doc/operating.md\n", "/deploy/nginx.conf\n", "/VERSION\n");

        var deb = only(".deb").toString();
        assertThat(ran("dpkg-deb", "--info", deb))
                .contains("Package: caisson", "bubblewrap", "libseccomp2", "e2fsprogs", "python3")
                .contains("postinst", "prerm", "conffiles");
        assertThat(ran("dpkg-deb", "--contents", deb))
                .contains("./usr/bin/caisson -> ../lib/caisson/caisson")
                .contains("./usr/lib/caisson/jre/bin/java", "./etc/caisson/caisson.yaml")
                .contains("./usr/lib/systemd/system/caisson.service")
                .contains("root/root")
                .doesNotContain("/home/", "/var/lib/caisson/");
    }

    /// The program it starts is not installed here; everything else is as it is.
    @Test
    void systemd_takes_the_unit() throws Exception {
        var unit = Files.readString(Repository.root().resolve("deploy/caisson.service"));
        assertThat(unit).contains("Delegate=yes", "ExecStart=/usr/bin/caisson serve");
        var copy = directory.resolve("caisson.service");
        Files.writeString(copy, unit.replace("/usr/bin/caisson serve", "/bin/true"));
        assertThat(ran("systemd-analyze", "verify", "--man=no", copy.toString()))
                .doesNotContain("caisson.service");
    }

    private Path only(String ending) throws IOException {
        try (var files = Files.list(directory)) {
            var found = files.filter(file -> file.toString().endsWith(ending)).toList();
            assertThat(found).hasSize(1);
            return found.getFirst();
        }
    }

    private static String ran(String... command) throws Exception {
        var process = new ProcessBuilder(List.of(command)).redirectErrorStream(true).start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }
}

package dev.caisson.acceptance.product;

import dev.caisson.acceptance.judge.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/// Upstreams for a server under test: `desk`, whose tools are trusted, `fickle`, which is the same
/// and is told to change its mind, and `silent`, which ends at once.
///
/// @param directory that can be shown in sandboxes
record UpstreamStock(Path directory) {
    private static final String SCRIPT = "desk-server.py";

    /// What is in the host's `/tmp` cannot be shown.
    static final class Directory implements TempDirFactory {
        @Override
        public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext extension)
                throws IOException {
            return Files.createTempDirectory(
                    Files.createDirectories(Path.of("/opt")), "upstreams-");
        }
    }

    static UpstreamStock in(Path directory) throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        var script = Repository.root().resolve("console/e2e").resolve(SCRIPT);
        Files.copy(script, directory.resolve(SCRIPT));
        Files.writeString(
                directory.resolve("upstreams.yaml"),
                """
                desk:
                  title: Help desk
                  command: [python3, %1$s/desk-server.py]
                  show: [%1$s]
                  trust: trusted
                  memory_bytes: 128MiB
                fickle:
                  title: Fickle desk
                  command: [python3, %1$s/desk-server.py]
                  show: [%1$s]
                  trust: trusted
                  memory_bytes: 128MiB
                silent:
                  title: Says nothing
                  command: [python3, -c, "raise SystemExit('no licence')"]
                """
                        .formatted(directory));
        return new UpstreamStock(directory);
    }

    /// What the server is started with.
    String[] options() {
        return new String[] {
            "--set",
            "upstreams.file=" + directory.resolve("upstreams.yaml"),
            "--set",
            "upstreams.private_hosts=127.0.0.1",
            "--set",
            "policy.default=deny"
        };
    }
}

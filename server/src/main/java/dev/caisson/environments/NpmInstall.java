package dev.caisson.environments;

import dev.caisson.json.Json;
import dev.caisson.sandbox.PackageEnvironment.Item;
import dev.caisson.storage.WorkspaceMaker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Installation of one npm package with what it needs, in a sandbox that reaches the registry
/// alone. No script of any package runs; what comes by another way than the registry fails it.
final class NpmInstall {
    private static final String SCRIPT =
            """
            set -eu
            unset npm_config_offline
            export npm_config_fetch_retries=2
            PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
            mkdir -p /workspace/out
            cd /workspace/out
            echo '{"name": "installed", "private": true}' > package.json
            npm install --ignore-scripts --no-audit --no-fund --omit=dev --save-exact \\
                --cache /workspace/cache "$PACKAGE"
            rm -rf /workspace/cache
            chmod -R u+rwX .
            """;

    private static final int LOCK_BYTES_MAX = 8 << 20;

    private final BakeSteps steps;
    private final WorkspaceMaker workspaces;
    private final EnvironmentSettings settings;
    private final Clock clock;

    NpmInstall(
            BakeSteps steps, WorkspaceMaker workspaces, EnvironmentSettings settings, Clock clock) {
        this.steps = steps;
        this.workspaces = workspaces;
        this.settings = settings;
        this.clock = clock;
    }

    /// @param scratch an empty directory
    /// @param tree where it is installed
    void into(Path scratch, Path tree, NpmPackage wanted, HostPackaging host)
            throws BakeFailed, IOException, InterruptedException {
        try (var opened = workspaces.open(scratch, "")) {
            var root = opened.root();
            if (host.certificates().isPresent()) {
                Files.copy(host.certificates().get(), root.resolve("ca.pem"));
            }
            var registries = Registries.of(settings.registries(), host);
            steps.fetch(
                    SCRIPT,
                    opened,
                    registries,
                    registries.allowedOfNpm(),
                    Map.of("PACKAGE", wanted.words()));
            var out = root.resolve("out");
            var taken = TreeCopy.copy(out, tree, settings.bytesMax(), settings.filesMax());
            new Manifest(
                            Optional.empty(),
                            true,
                            packages(tree.resolve("package-lock.json")),
                            List.of(),
                            "",
                            new Manifest.Locked(Optional.empty(), Optional.empty()),
                            taken.bytes(),
                            taken.files(),
                            clock.instant().toString())
                    .into(tree);
        }
    }

    /// All of them, by the lock that npm left beside them.
    private static List<Item> packages(Path lock) throws IOException {
        if (!Files.isRegularFile(lock, LinkOption.NOFOLLOW_LINKS)
                || Files.size(lock) > LOCK_BYTES_MAX) {
            return List.of();
        }
        return Json.parse(Files.readAllBytes(lock))
                .path("packages")
                .propertyStream()
                .filter(each -> each.getKey().startsWith("node_modules/"))
                .map(each ->
                        new Item(
                                each.getKey()
                                        .substring(
                                                each.getKey().lastIndexOf("node_modules/")
                                                        + "node_modules/".length()),
                                each.getValue().path("version").asString("?")))
                .toList();
    }
}

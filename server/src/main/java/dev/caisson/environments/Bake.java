package dev.caisson.environments;

import dev.caisson.sandbox.Language;
import dev.caisson.storage.WorkspaceMaker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Bake of one environment, in two sandboxes, one after the other, with every layer in force.
///
/// *Fetch* has an empty network like any sandbox; a [Tunnel] listens inside it and opens
/// connections to the registries alone. It takes wheels and npm packages, never a package that must
/// be built, and runs no script of any. *Install* has no way out at all: it unpacks what was
/// fetched and compiles byte code. What that leaves is copied into place by the server.
final class Bake {
    // From 24.2 on pip loads the certificates of /etc at its start, before it knows of PIP_CERT;
    // a sandbox has none there.
    private static final String PIP =
            """
            pip() {
                "$PYTHON" -I -c '
            import os, runpy, sys
            from pip._vendor import certifi
            if os.path.exists(os.environ["PIP_CERT"]):
                certifi.where = lambda: os.environ["PIP_CERT"]
            sys.argv[0] = "pip"
            runpy.run_module("pip", run_name="__main__")' "$@"
            }
            """;

    // Stubs that say that there is no network stand before the real programs in a program's path.
    private static final String FETCH =
            """
            set -eu
            unset PIP_PYTHON npm_config_offline
            PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
            mkdir -p /workspace/wheels /workspace/out
            cd /workspace
            if [ -f requirements.txt ]; then
                "$PYTHON" -I --version
                pip download --only-binary :all: --no-cache-dir --progress-bar off \\
                    --dest wheels --requirement requirements.txt
            fi
            if [ -f package-lock.json ]; then
                mkdir -p out/node
                cp package.json package-lock.json out/node/
                cd out/node
                npm ci --ignore-scripts --no-audit --no-fund --cache /workspace/cache
                rm -rf /workspace/cache
            fi
            """;

    private static final String INSTALL =
            """
            set -eu
            unset PIP_PYTHON npm_config_offline
            PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
            cd /workspace
            if [ -f requirements.txt ]; then
                pip install --no-index --find-links wheels --only-binary :all: \\
                    --no-cache-dir --no-compile --no-warn-script-location --progress-bar off \\
                    --target out/python --requirement requirements.txt
                if [ -d out/python/bin ]; then mv out/python/bin out/bin; fi
                "$PYTHON" -I -m compileall -q --invalidation-mode unchecked-hash \\
                    -s /workspace/out -p /opt/env out/python >/dev/null 2>&1 || true
            fi
            chmod -R u+rwX out
            """;

    private final BakeSteps steps;
    private final WorkspaceMaker workspaces;
    private final EnvironmentSettings settings;
    private final Optional<String> python;
    private final Lock lock;

    /// @param python the interpreter, as it is called inside and outside
    Bake(
            BakeSteps steps,
            WorkspaceMaker workspaces,
            EnvironmentSettings settings,
            Optional<String> python,
            Lock lock) {
        this.steps = steps;
        this.workspaces = workspaces;
        this.settings = settings;
        this.python = python;
        this.lock = lock;
    }

    /// The hosts it may ask.
    static Set<String> hosts(EnvironmentSettings settings, HostPackaging host, Lock lock) {
        return Registries.of(settings.registries(), host).hosts(lock);
    }

    /// Makes the tree of an environment.
    ///
    /// @param scratch an empty directory
    /// @param tree where it is made
    /// @param manifest makes the manifest of what is there
    void into(Path scratch, Path tree, HostPackaging host, Manifests manifest)
            throws BakeFailed, IOException, InterruptedException {
        try (var opened = workspaces.open(scratch, "")) {
            var root = opened.root();
            write(root, host);
            var registries = Registries.of(settings.registries(), host);
            steps.fetch(PIP + FETCH, opened, registries, registries.allowed(lock), variables());
            steps.offline("install", PIP + INSTALL, opened, variables());
            var resolved = Resolved.of(root.resolve("wheels"), lock);
            var taken =
                    TreeCopy.copy(
                            root.resolve("out"), tree, settings.bytesMax(), settings.filesMax());
            manifest.of(resolved, taken).into(tree);
        }
    }

    /// Makes a manifest.
    @FunctionalInterface
    interface Manifests {
        Manifest of(Resolved resolved, TreeCopy.Taken taken);
    }

    private void write(Path root, HostPackaging host) throws IOException {
        if (lock.python().isPresent()) {
            Files.writeString(root.resolve("requirements.txt"), lock.python().get());
        }
        if (lock.node().isPresent()) {
            Files.writeString(root.resolve("package-lock.json"), lock.node().get());
            Files.writeString(root.resolve("package.json"), lock.packageJson().orElseThrow());
        }
        if (host.certificates().isPresent()) {
            Files.copy(host.certificates().get(), root.resolve("ca.pem"));
        }
    }

    private Map<String, String> variables() {
        return python.map(path -> Map.of("PYTHON", path)).orElse(Map.of());
    }

    /// The language bakes are written in.
    static final Language LANGUAGE = Language.BASH;
}

package dev.caisson.environments;

import dev.caisson.egress.AllowedHosts;
import dev.caisson.egress.Tunnel;
import dev.caisson.json.Json;
import dev.caisson.json.Records;
import dev.caisson.sandbox.Boot;
import dev.caisson.sandbox.Box;
import dev.caisson.sandbox.Language;
import dev.caisson.sandbox.Limits;
import dev.caisson.sandbox.Outcome;
import dev.caisson.sandbox.Run;
import dev.caisson.sandbox.Runner;
import dev.caisson.sandbox.Sandboxes;
import dev.caisson.storage.WorkspaceMaker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/// Bake of one environment, in two sandboxes, one after the other, with every layer in force.
///
/// *Fetch* has an empty network like any sandbox; a [Tunnel] listens inside it and opens
/// connections to the registries alone. It takes wheels and npm packages, never a package that must
/// be built, and runs no script of any. *Install* has no way out at all: it unpacks what was
/// fetched and compiles byte code. What that leaves is copied into place by the server.
final class Bake {
    private static final int PROXY_PORT = 3128;

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

    private final Sandboxes sandboxes;
    private final WorkspaceMaker workspaces;
    private final EnvironmentSettings settings;
    private final Runner shell;
    private final Optional<String> python;
    private final Lock lock;
    private final BakeOutput output;

    /// @param python the interpreter, as it is called inside and outside
    Bake(
            Sandboxes sandboxes,
            WorkspaceMaker workspaces,
            EnvironmentSettings settings,
            Runner shell,
            Optional<String> python,
            Lock lock,
            BakeOutput output) {
        this.sandboxes = sandboxes;
        this.workspaces = workspaces;
        this.settings = settings;
        this.shell = shell;
        this.python = python;
        this.lock = lock;
        this.output = output;
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
            fetch(Registries.of(settings.registries(), host), opened);
            step("install", PIP + INSTALL, opened, List.of(), Map.of(), _ -> {});
            var resolved = Resolved.of(root.resolve("wheels"), lock);
            var taken =
                    TreeCopy.copy(
                            root.resolve("out"), tree, settings.bytesMax(), settings.filesMax());
            put(tree, manifest.of(resolved, taken));
        }
    }

    /// Makes a manifest.
    @FunctionalInterface
    interface Manifests {
        Manifest of(Resolved resolved, TreeCopy.Taken taken);
    }

    private static void put(Path tree, Manifest manifest) throws IOException {
        var writable = PosixFilePermissions.fromString("rwxr-xr-x");
        Files.setPosixFilePermissions(tree, writable);
        Files.writeString(tree.resolve(Manifest.FILE), Json.pretty(Records.tree(manifest)));
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

    private void fetch(Registries registries, WorkspaceMaker.Opened opened)
            throws BakeFailed, InterruptedException {
        var hosts = registries.allowed(lock);
        var tunnel = new AtomicReference<Optional<Tunnel>>(Optional.empty());
        var limits =
                new Tunnel.Limits(settings.bytesMax(), settings.connections(), settings.idleMax());
        Sandboxes.ApartBox listening =
                box -> {
                    if (!hosts.names().isEmpty() && shell.takesEnvironments()) {
                        tunnel.set(listen(box, hosts, limits));
                    }
                };
        try {
            step(
                    "fetch",
                    PIP + FETCH,
                    opened,
                    registries.shown(),
                    registries.variables(),
                    listening);
        } catch (BakeFailed failed) {
            throw explained(failed, tunnel.get(), hosts.names());
        } finally {
            tunnel.get().ifPresent(Tunnel::close);
        }
    }

    /// Without root there are still the registries of this machine's own disk.
    private Optional<Tunnel> listen(Box box, AllowedHosts hosts, Tunnel.Limits limits) {
        try {
            return Optional.of(Tunnel.start(box.listen(PROXY_PORT), hosts, limits));
        } catch (IOException | RuntimeException cannot) {
            output.say("No registry on the network can be asked: " + cannot.getMessage() + ".");
            return Optional.empty();
        }
    }

    private static BakeFailed explained(
            BakeFailed failed, Optional<Tunnel> tunnel, Set<String> hosts) {
        if (tunnel.filter(Tunnel::isUsedUp).isPresent()) {
            return new BakeFailed("The packages are larger than environments.bytes_max.");
        }
        boolean silent = tunnel.filter(each -> each.opened() > 0).isEmpty();
        return silent && !hosts.isEmpty()
                ? new BakeFailed(
                        "No registry answered (%s). %s"
                                .formatted(String.join(", ", hosts), failed.getMessage()))
                : failed;
    }

    private void step(
            String name,
            String script,
            WorkspaceMaker.Opened opened,
            List<Boot.Shown> shown,
            Map<String, String> more,
            Sandboxes.ApartBox furnishing)
            throws BakeFailed, InterruptedException {
        output.say("== " + name);
        var run =
                new Run(
                        "bake-" + name,
                        shell,
                        script,
                        limits(),
                        variables(more),
                        opened.workspace(),
                        (_, bytes, offset, length) -> output.add(bytes, offset, length),
                        "bake");
        var outcome = sandboxes.runApart(run, shown, furnishing);
        if (outcome instanceof Outcome.Exited(int code, var _, var _) && code == 0) {
            return;
        }
        throw new BakeFailed(
                switch (outcome) {
                    case Outcome.Exited _ ->
                            "The step %s failed: %s".formatted(name, output.complaint());
                    case Outcome.Signalled _ -> "The step %s was killed.".formatted(name);
                    case Outcome.TimedOut _ ->
                            "The step %s took longer than %d s."
                                    .formatted(name, settings.timeMax().toSeconds());
                    case Outcome.OutOfMemory _ -> "The step %s ran out of memory.".formatted(name);
                    case Outcome.Cancelled _ -> "The bake was cancelled.";
                    case Outcome.Blocked(var why, var _) -> why;
                });
    }

    private Limits limits() {
        return new Limits(
                settings.timeMax(), 1L << 30, 2.0, 256, 4_096, settings.bytesMax(), 128L << 20);
    }

    private Map<String, String> variables(Map<String, String> more) {
        var all = new HashMap<>(more);
        python.ifPresent(path -> all.put("PYTHON", path));
        all.put("TMPDIR", "/workspace");
        all.put("PIP_CONFIG_FILE", "/dev/null");
        all.put("PIP_DISABLE_PIP_VERSION_CHECK", "1");
        all.put("PIP_RETRIES", "0");
        all.put("PIP_TIMEOUT", "15");
        all.put("PIP_CERT", "/workspace/ca.pem");
        all.put("NODE_EXTRA_CA_CERTS", "/workspace/ca.pem");
        all.put("npm_config_fetch_retries", "0");
        all.put("npm_config_update_notifier", "false");
        var proxy = "http://127.0.0.1:" + PROXY_PORT;
        for (var name : List.of("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY")) {
            all.put(name, proxy);
        }
        return all;
    }

    /// The language bakes are written in.
    static final Language LANGUAGE = Language.BASH;
}

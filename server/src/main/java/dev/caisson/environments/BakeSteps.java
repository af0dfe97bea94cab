package dev.caisson.environments;

import dev.caisson.egress.AllowedHosts;
import dev.caisson.egress.Tunnel;
import dev.caisson.sandbox.Boot;
import dev.caisson.sandbox.Box;
import dev.caisson.sandbox.Limits;
import dev.caisson.sandbox.Outcome;
import dev.caisson.sandbox.Run;
import dev.caisson.sandbox.Runner;
import dev.caisson.sandbox.Sandboxes;
import dev.caisson.storage.WorkspaceMaker;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/// Steps of a bake or an installation: scripts, each in a sandbox of its own with every layer in
/// force. One that fetches has an empty network like any other; a [Tunnel] listens inside it and
/// opens connections to the registries alone.
final class BakeSteps {
    private static final int PROXY_PORT = 3128;

    private final Sandboxes sandboxes;
    private final EnvironmentSettings settings;
    private final Runner shell;
    private final BakeOutput output;

    BakeSteps(Sandboxes sandboxes, EnvironmentSettings settings, Runner shell, BakeOutput output) {
        this.sandboxes = sandboxes;
        this.settings = settings;
        this.shell = shell;
        this.output = output;
    }

    /// Runs a script that can ask registries, and nobody else.
    void fetch(
            String script,
            WorkspaceMaker.Opened opened,
            Registries registries,
            AllowedHosts hosts,
            Map<String, String> more)
            throws BakeFailed, InterruptedException {
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
            var variables = new HashMap<>(registries.variables());
            variables.putAll(more);
            step("fetch", script, opened, registries.shown(), variables, listening);
        } catch (BakeFailed failed) {
            throw explained(failed, tunnel.get(), hosts.names());
        } finally {
            tunnel.get().ifPresent(Tunnel::close);
        }
    }

    /// Runs a script that can ask nobody.
    void offline(String name, String script, WorkspaceMaker.Opened opened, Map<String, String> more)
            throws BakeFailed, InterruptedException {
        step(name, script, opened, List.of(), more, _ -> {});
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

    private static Map<String, String> variables(Map<String, String> more) {
        var all = new HashMap<>(more);
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
}

package dev.caisson.sandbox;

import dev.caisson.linux.KernelException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// Proves the layers: makes a sandbox as every run gets one, and looks at how it stands.
final class Probe {
    private static final Duration TRIAL_MAX = Duration.ofSeconds(10);

    /// A guest that needs nothing but a shell. Its one job is to try to make sockets.
    private static final List<String> GUEST =
            List.of(
                    "/bin/sh",
                    "-c",
                    "exec 1>&5 2>&6 5>&- 6>&-; (printf R >&7); read -r _; { %s; } >&7; read -r _"
                            .formatted(SocketGate.trial(Posture.TRIED)));

    private final Machine machine;
    private final Preparation preparation;
    private final Set<Layer> accepted;

    Probe(Machine machine, Preparation preparation, Set<Layer> accepted) {
        this.machine = machine;
        this.preparation = preparation;
        this.accepted = accepted;
    }

    Isolation isolation() {
        var absent = machine.host().programs().missing();
        if (absent.isPresent()) {
            return Isolation.none(absent.get());
        }
        try {
            return new Isolation(missing(), accepted, machine.sockets());
        } catch (IOException | KernelException | Preparation.TooLittleMemory failed) {
            return Isolation.none("no sandbox can be made: " + failed.getMessage());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Isolation.none("interrupted while trying");
        }
    }

    private Map<Layer, String> missing()
            throws IOException, InterruptedException, Preparation.TooLittleMemory {
        var root = Root.ofHost(machine.host().runtime().resolve("etc"));
        var boot = new Boot(root, GUEST, Map.of(), List.of("main.sh"));
        var directory = machine.host().runtime().resolveSibling("probe");
        Trees.directory(directory);
        if (machine.mounts().isPresent()) {
            Files.setAttribute(directory, "unix:uid", SandboxSpec.USER_INSIDE);
            Files.setAttribute(directory, "unix:gid", SandboxSpec.USER_INSIDE);
        }
        var workspace = new Workspace.Directory(directory);
        var prepared =
                preparation.prepare(
                        boot, Limits.DEFAULT, Optional.of(workspace), CallerWeights.WHOLE);
        try {
            prepared.sandbox().attach(workspace);
            return new Posture(machine, prepared, trial(prepared.sandbox())).missing();
        } finally {
            preparation.end(prepared);
        }
    }

    /// What a program inside finds when it makes sockets.
    private String trial(Sandbox sandbox) throws IOException {
        var line = new CompletableFuture<String>();
        var said = new StringBuilder();
        var lines =
                sandbox.open((bytes, count) -> {
                    said.append(new String(bytes, 0, count, StandardCharsets.US_ASCII));
                    if (said.indexOf("\n") >= 0) {
                        line.complete(said.toString().strip());
                    }
                });
        try (var _ = lines.stdout();
                var _ = lines.stderr()) {
            lines.jobs().write('\n');
            lines.jobs().flush();
            return line.completeOnTimeout("nothing", TRIAL_MAX.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        }
    }
}

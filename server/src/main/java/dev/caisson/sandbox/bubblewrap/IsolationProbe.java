package dev.caisson.sandbox.bubblewrap;

import dev.caisson.linux.CgroupGroup;
import dev.caisson.linux.KernelException;
import dev.caisson.sandbox.Blueprint;
import dev.caisson.sandbox.Boot;
import dev.caisson.sandbox.Box;
import dev.caisson.sandbox.Isolation;
import dev.caisson.sandbox.Layer;
import dev.caisson.sandbox.Limits;
import dev.caisson.sandbox.Root;
import dev.caisson.sandbox.TooLittleMemory;
import dev.caisson.sandbox.Workspace;
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

/// Probe of the isolation layers: makes a sandbox as every run gets one, and looks at how it
/// stands.
public final class IsolationProbe {
    private static final Duration TRIAL_MAX = Duration.ofSeconds(10);

    /// A guest that needs nothing but a shell. Its one job is to try to make sockets.
    private static final List<String> GUEST =
            List.of(
                    "/bin/sh",
                    "-c",
                    "exec 1>&5 2>&6 5>&- 6>&-; (printf R >&7); read -r _; { %s; } >&7; read -r _"
                            .formatted(SocketGate.trial(ObservedIsolation.TRIED)));

    private final Machine machine;
    private final Maker maker;
    private final Set<Layer> accepted;

    public IsolationProbe(Machine machine, Maker maker, Set<Layer> accepted) {
        this.machine = machine;
        this.maker = maker;
        this.accepted = accepted;
    }

    /// Makes the sandbox that is looked at.
    @FunctionalInterface
    public interface Maker {
        Made make(Blueprint blueprint) throws IOException, InterruptedException, TooLittleMemory;
    }

    /// @param subject the same box, as it can be seen from outside
    public record Made(Box box, ObservedIsolation.Subject subject) {}

    public Isolation isolation() {
        var absent = machine.host().programs().missing();
        if (absent.isPresent()) {
            return Isolation.none(absent.get());
        }
        try {
            return new Isolation(missing(), accepted, machine.sockets());
        } catch (IOException | KernelException | TooLittleMemory failed) {
            return Isolation.none("no sandbox can be made: " + failed.getMessage());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Isolation.none("interrupted while trying");
        }
    }

    private Map<Layer, String> missing() throws IOException, InterruptedException, TooLittleMemory {
        var root = Root.ofHost(machine.host().runtime().resolve("etc"));
        var boot = new Boot(root, GUEST, Map.of(), List.of("main.sh"));
        var directory = machine.host().runtime().resolveSibling("probe");
        ServerDirectories.directory(directory);
        if (machine.mounts().isPresent()) {
            Files.setAttribute(directory, "unix:uid", Workspace.OWNER);
            Files.setAttribute(directory, "unix:gid", Workspace.OWNER);
        }
        var workspace = new Workspace.Directory(directory);
        var blueprint =
                new Blueprint(boot, Limits.DEFAULT, Optional.of(workspace), CgroupGroup.WEIGHT_MAX);
        var made = maker.make(blueprint);
        var box = made.box();
        try {
            box.attach(workspace);
            return new ObservedIsolation(machine, made.subject(), trial(box)).missing();
        } finally {
            box.end();
        }
    }

    /// What a program inside finds when it makes sockets.
    private static String trial(Box box) throws IOException {
        var line = new CompletableFuture<String>();
        var said = new StringBuilder();
        var lines =
                box.open((bytes, count) -> {
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

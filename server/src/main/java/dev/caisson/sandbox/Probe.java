package dev.caisson.sandbox;

import dev.caisson.linux.KernelException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Proves the layers: makes a sandbox as every run gets one, and looks at how it stands.
final class Probe {
    /// A guest that needs nothing but a shell, and is never given a job.
    private static final List<String> GUEST =
            List.of("/bin/sh", "-c", "exec 1>&5 2>&6 5>&- 6>&-; (printf R >&7); read -r _");

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
            return new Isolation(missing(), accepted);
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
        var workspace = new Workspace.Directory(directory);
        var prepared = preparation.prepare(boot, Limits.DEFAULT, Optional.of(workspace));
        try {
            prepared.sandbox().attach(workspace);
            return new Posture(machine, prepared).missing();
        } finally {
            preparation.end(prepared);
        }
    }
}

package dev.caisson.sandbox;

import dev.caisson.linux.KernelException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Proves the layers: makes a sandbox as every run gets one, and looks at how it stands.
final class Probe {
    /// A guest that needs nothing but a shell, and is never given a job.
    private static final List<String> GUEST = List.of("/bin/sh", "-c", "printf R >&7; read -r _");

    private final Machine machine;
    private final Slots slots;
    private final Set<Layer> accepted;

    Probe(Machine machine, Slots slots, Set<Layer> accepted) {
        this.machine = machine;
        this.slots = slots;
        this.accepted = accepted;
    }

    Isolation isolation() {
        try {
            var slot = slots.take();
            try {
                return new Isolation(missing(slot), accepted);
            } finally {
                slots.give(slot);
            }
        } catch (IOException | KernelException failed) {
            return Isolation.none("no sandbox can be made: " + failed.getMessage(), accepted);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Isolation.none("interrupted while trying", accepted);
        }
    }

    private Map<Layer, String> missing(Slot slot) throws IOException, InterruptedException {
        var root = Root.ofHost(machine.host().runtime().resolve("etc"));
        var boot = new Boot(root, GUEST, Map.of(), List.of("main.sh"));
        var workspace = slot.directory().resolve("probe");
        Trees.directory(workspace);
        return new Execution(machine, slot, boot, slot.groupName(0))
                .posture(Limits.DEFAULT, new Workspace.Directory(workspace));
    }
}

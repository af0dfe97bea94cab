package dev.caisson.tools;

import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.sandbox.Workspace;
import dev.caisson.storage.Access;
import dev.caisson.storage.Volumes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/// The volumes of one run, open until it is over.
final class RunVolumes implements AutoCloseable {
    /// How many one run may have.
    static final int COUNT_MAX = 16;

    private final List<Volumes.Mounted> mounted = new ArrayList<>();

    private RunVolumes() {}

    /// @throws Refusal when there are too many, one is named twice, or the caller may not use one
    static RunVolumes open(Volumes volumes, Caller caller, List<VolumeUse> asked) {
        requireSensible(asked);
        var opened = new RunVolumes();
        try {
            for (var use : asked) {
                opened.mounted.add(volumes.mount(caller, use.name(), use.access()));
            }
            return opened;
        } catch (RuntimeException failed) {
            opened.close();
            throw failed;
        }
    }

    private static void requireSensible(List<VolumeUse> asked) {
        var names = new HashSet<String>();
        if (asked.size() > COUNT_MAX || !asked.stream().allMatch(use -> names.add(use.name()))) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "volumes may name up to " + COUNT_MAX + " volumes, each once.");
        }
    }

    /// The workspace with the volumes beside it.
    Workspace beside(Workspace workspace) {
        return mounted.isEmpty()
                ? workspace
                : new Workspace.WithVolumes(
                        workspace,
                        mounted.stream()
                                .map(each ->
                                        new Workspace.Volume(
                                                each.name(),
                                                each.workspace(),
                                                each.access() == Access.WRITE))
                                .toList());
    }

    /// The names of those the program could change.
    List<String> writable() {
        return mounted.stream()
                .filter(each -> each.access() == Access.WRITE)
                .map(Volumes.Mounted::name)
                .toList();
    }

    @Override
    public void close() {
        mounted.reversed().forEach(Volumes.Mounted::close);
    }
}

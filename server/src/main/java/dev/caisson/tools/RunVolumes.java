package dev.caisson.tools;

import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.StandingVolume;
import dev.caisson.sandbox.Workspace;
import dev.caisson.storage.Access;
import dev.caisson.storage.Volumes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Collectors;

/// The volumes of one run, open until it is over: those its call names, and those its caller always
/// has. Where both name one, the call says how it is mounted.
///
/// A volume that a caller always has and may not use, or that is gone, refuses the run: a program
/// that counts on its files must not find an empty place.
final class RunVolumes implements AutoCloseable {
    private final List<Volumes.Mounted> mounted = new ArrayList<>();

    private RunVolumes() {}

    /// @throws Refusal when there are too many, one is named twice, or the caller may not use one
    static RunVolumes open(Volumes volumes, Caller caller, List<VolumeUse> asked) {
        var standing = standing(caller, asked);
        requireSensible(asked, standing.size());
        var opened = new RunVolumes();
        try {
            for (var use : asked) {
                opened.mounted.add(volumes.mount(caller, use.name(), use.access()));
            }
            for (var volume : standing) {
                opened.mounted.add(mounted(volumes, caller, volume));
            }
            return opened;
        } catch (RuntimeException failed) {
            opened.close();
            throw failed;
        }
    }

    /// What the caller always has and did not ask for.
    private static List<StandingVolume> standing(Caller caller, List<VolumeUse> asked) {
        return caller.volumes().stream()
                .filter(volume -> asked.stream().noneMatch(use -> use.name().equals(volume.name())))
                .toList();
    }

    private static void requireSensible(List<VolumeUse> asked, int standing) {
        var names = new HashSet<String>();
        if (asked.size() + standing > StandingVolume.COUNT_MAX
                || !asked.stream().allMatch(use -> names.add(use.name()))) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "volumes may name up to "
                            + (StandingVolume.COUNT_MAX - standing)
                            + " volumes, each once"
                            + (standing == 0 ? "." : ", beside those this key always has."));
        }
    }

    private static Volumes.Mounted mounted(Volumes volumes, Caller caller, StandingVolume volume) {
        try {
            return volumes.mount(
                    caller, volume.name(), volume.writable() ? Access.WRITE : Access.READ);
        } catch (Refusal refusal) {
            throw new Refusal(
                    refusal.reason(),
                    "Every run of this key has the volume %s, but it cannot be mounted: %s Its owner can grant it to this key; or use another key."
                            .formatted(volume.text(), refusal.sentence()),
                    refusal.details());
        }
    }

    /// A session's sandbox is there before the call, so it has no volumes; and what a caller always
    /// has is not left out in silence.
    static void refuseInSession(Caller caller) {
        if (!caller.volumes().isEmpty()) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "A session mounts no volumes, and every run of this key has %s. Leave out session, or use a key without volumes."
                            .formatted(
                                    caller.volumes().stream()
                                            .map(StandingVolume::text)
                                            .collect(Collectors.joining(", "))));
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

package dev.caisson.runs;

import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.StandingVolume;
import dev.caisson.sandbox.Workspace;
import dev.caisson.storage.SubDirectory;
import dev.caisson.storage.VolumeAccess;
import dev.caisson.storage.Volumes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The volumes of one run: those its call names, and those its caller always has. Where both name
/// one, the call says how it is mounted. Their rights are checked at once; they are opened when the
/// run has its place, and stay open until it is over.
///
/// A volume that a caller always has and may not use, or that is gone, refuses the run: a program
/// that counts on its files must not find an empty place.
final class RunVolumes implements AutoCloseable {
    private final Volumes volumes;
    private final Caller caller;
    private final List<VolumeUse> asked;
    private final List<StandingVolume> standing;
    private final SubPaths subPaths;
    private final List<Volumes.Mounted> mounted = new ArrayList<>();
    private Optional<Runnable> end = Optional.empty();
    private boolean opened;
    private boolean closed;

    private RunVolumes(Volumes volumes, Caller caller, List<VolumeUse> asked, SubPaths subPaths) {
        this.subPaths = subPaths;
        this.volumes = volumes;
        this.caller = caller;
        this.asked = asked;
        this.standing = standing(caller, asked);
    }

    /// @throws Refusal when there are too many, one is named twice, or the caller may not use one
    static RunVolumes of(Volumes volumes, Caller caller, List<VolumeUse> asked) {
        return of(volumes, caller, asked, SubPaths.NONE);
    }

    /// @param subPaths what the program sees of them
    static RunVolumes of(Volumes volumes, Caller caller, List<VolumeUse> asked, SubPaths subPaths) {
        var all = new RunVolumes(volumes, caller, asked, subPaths);
        requireSensible(asked, all.standing.size());
        subPaths.requireMounted(all.names());
        asked.forEach(use -> volumes.requireUsable(caller, use.name(), use.access()));
        all.standing.forEach(volume ->
                named(
                        volume,
                        () -> {
                            volumes.requireUsable(caller, volume.name(), access(volume));
                            return volume;
                        }));
        return all;
    }

    /// All, or the run cannot have any.
    private void open() {
        try {
            for (var use : asked) {
                add(volumes.mount(caller, use.name(), use.access()));
            }
            for (var volume : standing) {
                add(named(volume, () -> volumes.mount(caller, volume.name(), access(volume))));
            }
        } catch (RuntimeException failed) {
            close();
            throw failed;
        }
    }

    private void add(Volumes.Mounted next) {
        mounted.add(next);
        end.ifPresent(next.right()::endedBy);
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

    private static VolumeAccess access(StandingVolume volume) {
        return volume.writable() ? VolumeAccess.WRITE : VolumeAccess.READ;
    }

    /// Says of a refusal which volume it is about, because the call did not name it.
    private static <T> T named(StandingVolume volume, Supplier<T> what) {
        try {
            return what.get();
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

    /// The workspace with the volumes beside it, which are opened now.
    ///
    /// @throws Refusal when one cannot be had any more, or the disk has no room for it
    synchronized Workspace beside(Workspace workspace) {
        if (closed) {
            throw new IllegalStateException("the run is over");
        }
        if (!opened) {
            open();
            opened = true;
        }
        return mounted.isEmpty()
                ? workspace
                : new Workspace.WithVolumes(
                        workspace,
                        mounted.stream()
                                .map(each ->
                                        new Workspace.Volume(
                                                each.name(),
                                                shown(each),
                                                each.access() == VolumeAccess.WRITE))
                                .toList());
    }

    /// The volume, or the directory of it that the run is to see.
    private Workspace shown(Volumes.Mounted volume) {
        return SubDirectory.of(
                volume.workspace(),
                volume.root(),
                subPaths.volume(volume.name()),
                volume.access() == VolumeAccess.WRITE);
    }

    private List<String> names() {
        return Stream.concat(
                        asked.stream().map(VolumeUse::name),
                        standing.stream().map(StandingVolume::name))
                .toList();
    }

    /// How the run is ended when the right to one of them is taken away.
    synchronized void endedBy(Runnable how) {
        end = Optional.of(how);
        mounted.forEach(each -> each.right().endedBy(how));
    }

    /// Those the program could change: none before they are opened.
    synchronized List<Volumes.Mounted> writable() {
        return mounted.stream().filter(each -> each.access() == VolumeAccess.WRITE).toList();
    }

    @Override
    public synchronized void close() {
        closed = true;
        mounted.reversed().forEach(Volumes.Mounted::close);
    }
}

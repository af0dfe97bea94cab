package dev.caisson.sandbox.bubblewrap;

import dev.caisson.linux.CgroupGroup;
import dev.caisson.linux.CgroupLimits;
import dev.caisson.sandbox.Blueprint;
import dev.caisson.sandbox.NotMade;
import dev.caisson.sandbox.TooLittleMemory;
import dev.caisson.sandbox.Unclean;
import dev.caisson.sandbox.Uninterrupted;
import dev.caisson.sandbox.Workspace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Factory of boxes: makes them and takes them apart, each from nothing to nothing: slot, control
/// group, sandbox. Each that is made must be ended, see [#end].
///
/// Whether a run waits for the sandbox or the sandbox will wait for a run, both are made by the
/// same lines.
final class Preparation {
    private static final Logger LOG = LoggerFactory.getLogger(Preparation.class);

    /// How often something that does not die is killed again, each time for some seconds.
    private static final int TRIALS = 12;

    private final Machine machine;
    private final Slots slots;
    private final SandboxRemovals removals;
    private final AtomicLong count = new AtomicLong();

    /// @param removals for dead sandboxes that wait for their slots to be cleaned
    Preparation(Machine machine, Slots slots, SandboxRemovals removals) {
        this.machine = machine;
        this.slots = slots;
        this.removals = removals;
    }

    /// @throws TooLittleMemory when the limit did not let the interpreter start
    BubblewrapBox make(Blueprint blueprint)
            throws IOException, InterruptedException, TooLittleMemory {
        var slot = slots.take();
        boolean clean = true;
        boolean made = false;
        try {
            slot.state(blueprint.limits());
            var group = group(slot, SandboxSpec.groupLimits(blueprint.limits()));
            try {
                group.ifPresent(each -> each.weigh(blueprint.weight()));
                var spec = SandboxSpec.of(confinement(blueprint, slot, group));
                var sandbox = boot(slot, spec, group);
                made = true;
                LOG.debug("sandbox made in slot {}", slot.number());
                return new BubblewrapBox(
                        slot, group, blueprint.limits(), blueprint.boot().files(), sandbox, this);
            } finally {
                if (!made) {
                    group.ifPresent(Preparation::remove);
                }
            }
        } catch (Unclean left) {
            clean = false;
            throw left;
        } finally {
            if (!made) {
                giveBack(slot, clean);
            }
        }
    }

    private Sandbox boot(Slot slot, SandboxSpec spec, Optional<CgroupGroup> group)
            throws IOException, InterruptedException, TooLittleMemory {
        try {
            return Sandbox.boot(machine, slot, spec, group);
        } catch (NotMade failed) {
            if (group.map(CgroupGroup::oomKills).orElse(0L) > 0) {
                throw new TooLittleMemory();
            }
            throw failed;
        }
    }

    private Optional<CgroupGroup> group(Slot slot, CgroupLimits limits) throws NotMade {
        var name = slot.groupName(count.incrementAndGet());
        try {
            return machine.limitsGroups()
                    ? Optional.of(machine.groups().create(name, limits))
                    : Optional.empty();
        } catch (IllegalStateException failed) {
            throw new NotMade(String.valueOf(failed.getMessage()));
        }
    }

    private Confinement confinement(Blueprint blueprint, Slot slot, Optional<CgroupGroup> group)
            throws NotMade {
        return new Confinement(
                machine.host(),
                blueprint.boot(),
                slot.directory(),
                slot.user(),
                group.map(CgroupGroup::procsFiles).orElse(List.of()),
                machine.filtered(),
                machine.sockets(),
                blueprint.limits(),
                machine.mounts().isPresent()
                        ? Optional.empty()
                        : Optional.of(directory(blueprint.workspace())));
    }

    private static Path directory(Optional<Workspace> workspace) throws NotMade {
        return switch (workspace.orElseThrow()) {
            case Workspace.Directory(var path) -> path;
            case Workspace.Image _ -> throw new NotMade("a plain user cannot attach a file system");
            case Workspace.OpenedLater _ ->
                    throw new IllegalStateException("a workspace is opened before its sandbox");
            case Workspace.Part _ ->
                    throw new NotMade("a plain user cannot attach a part of a workspace");
            case Workspace.WithVolumes _ -> throw new NotMade("a plain user cannot attach volumes");
        };
    }

    /// Everything that was started in the sandbox is dead when this returns, or takes longer to die
    /// than anybody should wait for. What is left of it is taken apart and its slot cleaned for the
    /// next one meanwhile; when its caller has too many that wait for that, here and now.
    ///
    /// Never fails: whatever a program did, its caller has an answer to get.
    ///
    /// @param caller whose program ran in it
    void end(BubblewrapBox box, String caller) {
        if (!box.sandbox().isDeserted()) {
            box.sandbox().killInTime();
        }
        LOG.debug("sandbox ended in slot {}", box.slot().number());
        removals.run(caller, () -> remove(box));
    }

    /// Waits until every sandbox that was ended is taken apart.
    ///
    /// @return false when the time was over first
    boolean awaitRemoved(Duration atMost) throws InterruptedException {
        return removals.await(atMost);
    }

    private void remove(BubblewrapBox box) {
        boolean clean = false;
        try {
            patiently(() -> box.sandbox().kill());
            box.sandbox().close();
            patiently(() -> box.group().ifPresent(Preparation::remove));
            clean = true;
        } catch (IOException | RuntimeException failed) {
            LOG.error("a sandbox could not be removed", failed);
        } finally {
            giveBack(box.slot(), clean);
        }
        if (clean) {
            LOG.debug("sandbox removed from slot {}", box.slot().number());
        }
    }

    /// A hundred processes that are killed on a busy machine need their time, and each trial waits
    /// for it.
    private static void patiently(Runnable removal) {
        for (int trial = 1; trial < TRIALS; trial++) {
            try {
                removal.run();
                return;
            } catch (Unclean again) {
                LOG.warn("a run still has leftovers after {} attempts", trial, again);
            }
        }
        removal.run();
    }

    /// The user of a slot in which something lives on is never used again. A directory that cannot
    /// be removed is left for the next start: no run fails for it.
    private static void giveBack(Slot slot, boolean clean) {
        if (!clean) {
            LOG.error("slot {} is not reused: a run left something in it", slot.number());
            return;
        }
        try {
            slot.close();
        } catch (IOException | RuntimeException failed) {
            LOG.error("slot {} could not be removed from the disk", slot.number(), failed);
        }
    }

    private static void remove(CgroupGroup group) {
        if (!Uninterrupted.call(group::remove)) {
            throw new Unclean("the control group " + group.name() + " stays busy");
        }
    }
}

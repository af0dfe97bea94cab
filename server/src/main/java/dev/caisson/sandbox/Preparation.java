package dev.caisson.sandbox;

import dev.caisson.linux.CgroupGroup;
import dev.caisson.linux.CgroupLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes sandboxes ready and takes them apart, each from nothing to nothing: slot, control group,
/// sandbox. Each that is prepared must be ended, see [#end(Prepared)].
///
/// Whether a run waits for the sandbox or the sandbox will wait for a run, both are made by the
/// same lines.
final class Preparation {
    private static final Logger LOG = LoggerFactory.getLogger(Preparation.class);

    /// Why in detail names places of the host, which are the operator's to know.
    static final String NOT_MADE =
            "No sandbox could be made. The operator finds the reason in the server's log.";

    /// Shares what callers do, and is none of them: no caller has an empty name.
    private static final String NOBODY = "";

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

    /// Whether a sandbox can be given its workspace after it was made.
    boolean attachesLater() {
        return machine.mounts().isPresent();
    }

    /// @param workspace that it is for; empty when it will wait for one
    /// @param weight against other sandboxes while it is made
    /// @throws TooLittleMemory when the limit did not let the interpreter start
    Prepared prepare(Boot boot, Limits limits, Optional<Workspace> workspace, int weight)
            throws IOException, InterruptedException, TooLittleMemory {
        var slot = slots.take();
        boolean clean = true;
        boolean made = false;
        try {
            var group = group(slot, groupLimits(limits));
            try {
                group.ifPresent(each -> each.weigh(weight));
                var cell = cell(boot, slot, group, limits, workspace);
                var sandbox = boot(slot, SandboxSpec.of(cell), group);
                made = true;
                LOG.debug("sandbox made in slot {}", slot.number());
                return new Prepared(slot, group, limits, sandbox);
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

    /// The limit did not even let the interpreter start.
    static final class TooLittleMemory extends Exception {
        private static final long serialVersionUID = 1L;
    }

    private Sandbox boot(Slot slot, SandboxSpec spec, Optional<CgroupGroup> group)
            throws IOException, InterruptedException, TooLittleMemory {
        try {
            return Sandbox.boot(machine, slot, spec, group);
        } catch (Sandbox.NotMade failed) {
            if (group.map(CgroupGroup::oomKills).orElse(0L) > 0) {
                throw new TooLittleMemory();
            }
            throw failed;
        }
    }

    private Optional<CgroupGroup> group(Slot slot, CgroupLimits limits) throws Sandbox.NotMade {
        var name = slot.groupName(count.incrementAndGet());
        try {
            return machine.limitsGroups()
                    ? Optional.of(machine.groups().create(name, limits))
                    : Optional.empty();
        } catch (IllegalStateException failed) {
            throw new Sandbox.NotMade(String.valueOf(failed.getMessage()));
        }
    }

    static CgroupLimits groupLimits(Limits limits) {
        return new CgroupLimits(limits.memoryBytes(), limits.cpus(), limits.processes());
    }

    private Cell cell(
            Boot boot,
            Slot slot,
            Optional<CgroupGroup> group,
            Limits limits,
            Optional<Workspace> workspace)
            throws Sandbox.NotMade {
        return new Cell(
                machine.host(),
                boot,
                slot.directory(),
                slot.user(),
                group.map(CgroupGroup::procsFiles).orElse(List.of()),
                machine.filtered(),
                machine.sockets(),
                limits,
                attachesLater() ? Optional.empty() : Optional.of(directory(workspace)));
    }

    private static Path directory(Optional<Workspace> workspace) throws Sandbox.NotMade {
        return switch (workspace.orElseThrow()) {
            case Workspace.Directory(var path) -> path;
            case Workspace.Image _ ->
                    throw new Sandbox.NotMade("a plain user cannot attach a file system");
            case Workspace.OpenedLater _ ->
                    throw new IllegalStateException("a workspace is opened before its sandbox");
            case Workspace.Part _ ->
                    throw new Sandbox.NotMade("a plain user cannot attach a part of a workspace");
            case Workspace.WithVolumes _ ->
                    throw new Sandbox.NotMade("a plain user cannot attach volumes");
        };
    }

    /// Everything that was started in the sandbox is dead when this returns, or takes longer to die
    /// than anybody should wait for. What is left of it is taken apart and its slot cleaned for the
    /// next one meanwhile; when its caller has too many that wait for that, here and now.
    ///
    /// Never fails: whatever a program did, its caller has an answer to get.
    ///
    /// @param caller whose program ran in it
    void end(Prepared prepared, String caller) {
        if (!prepared.sandbox().isDeserted()) {
            prepared.sandbox().killInTime();
        }
        LOG.debug("sandbox ended in slot {}", prepared.slot().number());
        removals.run(caller, () -> remove(prepared));
    }

    /// The same for one in which no caller's program ran.
    void end(Prepared prepared) {
        end(prepared, NOBODY);
    }

    /// Waits until every sandbox that was ended is taken apart.
    ///
    /// @return false when the time was over first
    boolean awaitRemoved(Duration atMost) throws InterruptedException {
        return removals.await(atMost);
    }

    private void remove(Prepared prepared) {
        boolean clean = false;
        try {
            patiently(() -> prepared.sandbox().kill());
            prepared.sandbox().close();
            patiently(() -> prepared.group().ifPresent(Preparation::remove));
            clean = true;
        } catch (IOException | RuntimeException failed) {
            LOG.error("a sandbox cannot be taken apart", failed);
        } finally {
            giveBack(prepared.slot(), clean);
        }
        if (clean) {
            LOG.debug("sandbox removed from slot {}", prepared.slot().number());
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
                LOG.warn("something of a run is still there after {} trials", trial, again);
            }
        }
        removal.run();
    }

    /// The user of a slot in which something lives on is never used again. A directory that cannot
    /// be removed is left for the next start: no run fails for it.
    private static void giveBack(Slot slot, boolean clean) {
        if (!clean) {
            LOG.error("slot {} is not given back: something of a run is left in it", slot.number());
            return;
        }
        try {
            slot.close();
        } catch (IOException | RuntimeException failed) {
            LOG.error("slot {} is not removed from the disk", slot.number(), failed);
        }
    }

    private static void remove(CgroupGroup group) {
        if (!Uninterrupted.call(group::remove)) {
            throw new Unclean("the control group " + group.name() + " stays busy");
        }
    }
}

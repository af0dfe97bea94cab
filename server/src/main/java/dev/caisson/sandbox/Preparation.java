package dev.caisson.sandbox;

import dev.caisson.linux.CgroupGroup;
import dev.caisson.linux.CgroupLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes sandboxes ready and takes them apart, each from nothing to nothing: slot, control group,
/// sandbox. Whoever prepared one must [#end(Prepared)] it.
///
/// Whether a run waits for the sandbox or the sandbox will wait for a run, both are made by the
/// same lines; only that the latter yields the processor to whatever runs, until it is given its
/// limits.
final class Preparation {
    private static final Logger LOG = LoggerFactory.getLogger(Preparation.class);

    /// Why in detail names places of the host, which are the operator's to know.
    static final String NOT_MADE =
            "No sandbox could be made. The operator finds the reason in the server's log.";

    private final Machine machine;
    private final Slots slots;
    private final int unburiedMax;
    private final Semaphore unburied;
    private final AtomicLong count = new AtomicLong();

    /// @param unburiedMax how many dead sandboxes may wait for their slots to be cleaned
    Preparation(Machine machine, Slots slots, int unburiedMax) {
        this.machine = machine;
        this.slots = slots;
        this.unburiedMax = unburiedMax;
        this.unburied = new Semaphore(unburiedMax);
    }

    /// Whether a sandbox can be given its workspace after it was made.
    boolean attachesLater() {
        return machine.mounts().isPresent();
    }

    /// @param workspace that it is for; empty when it will wait for one
    /// @throws TooLittleMemory when the limit did not let the interpreter start
    Prepared prepare(Boot boot, Limits limits, Optional<Workspace> workspace)
            throws IOException, InterruptedException, TooLittleMemory {
        var slot = slots.take();
        boolean clean = true;
        boolean made = false;
        try {
            var usual = groupLimits(limits);
            var group = group(slot, workspace.isPresent() ? usual : usual.yielding());
            try {
                var cell = cell(boot, slot, group, limits, workspace);
                var sandbox = boot(slot, SandboxSpec.of(cell), group);
                made = true;
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
                limits,
                attachesLater() ? Optional.empty() : Optional.of(directory(workspace)));
    }

    private static Path directory(Optional<Workspace> workspace) throws Sandbox.NotMade {
        return switch (workspace.orElseThrow()) {
            case Workspace.Directory(var path) -> path;
            case Workspace.Image _ ->
                    throw new Sandbox.NotMade("a plain user cannot attach a file system");
            case Workspace.WithVolumes _ ->
                    throw new Sandbox.NotMade("a plain user cannot attach volumes");
        };
    }

    /// Everything that was started in the sandbox is dead when this returns. What is left of it is
    /// taken apart and its slot cleaned for the next one meanwhile; when too many wait for that,
    /// here and now.
    void end(Prepared prepared) {
        try {
            if (!prepared.sandbox().isDeserted()) {
                prepared.sandbox().kill();
            }
        } finally {
            if (unburied.tryAcquire()) {
                machine.threads()
                        .execute(() -> {
                            try {
                                bury(prepared);
                            } finally {
                                unburied.release();
                            }
                        });
            } else {
                bury(prepared);
            }
        }
    }

    /// Waits until every sandbox that was ended is taken apart.
    ///
    /// @return false when the time was over first
    boolean awaitBuried(Duration atMost) throws InterruptedException {
        boolean all = unburied.tryAcquire(unburiedMax, atMost.toMillis(), TimeUnit.MILLISECONDS);
        if (all) {
            unburied.release(unburiedMax);
        }
        return all;
    }

    private void bury(Prepared prepared) {
        boolean clean = false;
        try {
            prepared.sandbox().close();
            prepared.group().ifPresent(Preparation::remove);
            clean = true;
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot clean a slot", failed);
        } finally {
            giveBack(prepared.slot(), clean);
        }
    }

    private void giveBack(Slot slot, boolean clean) {
        if (clean) {
            slots.give(slot);
        } else {
            LOG.error("slot {} is not used again: something of a run is left in it", slot.number());
        }
    }

    private static void remove(CgroupGroup group) {
        if (!Uninterrupted.call(group::remove)) {
            throw new Unclean("the control group " + group.name() + " stays busy");
        }
    }
}

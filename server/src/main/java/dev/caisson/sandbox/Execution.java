package dev.caisson.sandbox;

import dev.caisson.linux.CgroupGroup;
import dev.caisson.linux.CgroupLimits;
import dev.caisson.linux.KernelException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// One run in one slot, from nothing to nothing: its control group and its sandbox are made here
/// and are gone when it returns.
final class Execution {
    private final Machine machine;
    private final Slot slot;
    private final Boot boot;
    private final String name;

    /// @param name of the control group, its own among live runs
    Execution(Machine machine, Slot slot, Boot boot, String name) {
        this.machine = machine;
        this.slot = slot;
        this.boot = boot;
        this.name = name;
    }

    /// @param queued for how long it waited for its place
    Outcome of(Run run, Duration queued) {
        var usage = new Outcome.Usage(queued.toMillis(), 0, 0, 0);
        try {
            var group = group(run.limits());
            try {
                return in(group, run, queued);
            } finally {
                group.ifPresent(Execution::remove);
            }
        } catch (InterruptedException cancelled) {
            return new Outcome.Cancelled(usage, Optional.empty());
        } catch (IOException | KernelException failed) {
            return new Outcome.Blocked("No sandbox could be made: " + failed.getMessage(), usage);
        }
    }

    /// How a sandbox for such a run stands, without running anything in it.
    ///
    /// @return the layers that are not in force, and why
    Map<Layer, String> posture(Limits limits, Workspace workspace)
            throws IOException, InterruptedException {
        var group = group(limits);
        try {
            var spec = SandboxSpec.of(cell(group, limits, workspace));
            try (var sandbox = Sandbox.boot(machine, slot, spec, group)) {
                sandbox.attach(workspace);
                long pid = sandbox.processes().program().pid();
                var name = group.map(CgroupGroup::name).orElse("");
                return new Posture(pid, machine, slot, limits, name).missing();
            }
        } finally {
            group.ifPresent(Execution::remove);
        }
    }

    private Optional<CgroupGroup> group(Limits limits) throws Sandbox.NotMade {
        try {
            return machine.limitsGroups()
                    ? Optional.of(machine.groups().create(name, groupLimits(limits)))
                    : Optional.empty();
        } catch (IllegalStateException failed) {
            throw new Sandbox.NotMade(String.valueOf(failed.getMessage()));
        }
    }

    static CgroupLimits groupLimits(Limits limits) {
        return new CgroupLimits(limits.memoryBytes(), limits.cpus(), limits.processes());
    }

    private Outcome in(Optional<CgroupGroup> group, Run run, Duration queued)
            throws IOException, InterruptedException {
        var spec = SandboxSpec.of(cell(group, run.limits(), run.workspace()));
        try (var sandbox = boot(spec, group)) {
            sandbox.attach(run.workspace());
            sandbox.handOver(run, boot.files());
            long begun = System.nanoTime();
            var ending = await(sandbox, run.limits().wall());
            long wall = (System.nanoTime() - begun) / 1_000_000;
            sandbox.kill();
            sandbox.sinkFailure()
                    .ifPresent(failure -> {
                        throw failure;
                    });
            var usage = usage(group, queued, wall);
            long memoryKills = group.map(CgroupGroup::oomKills).orElse(0L);
            return ending.outcome(sandbox.status(), memoryKills, usage, sandbox.value());
        } catch (TooLittleMemory _) {
            return new Outcome.OutOfMemory(usage(group, queued, 0), Optional.empty());
        }
    }

    /// The limit did not even let the interpreter start.
    private static final class TooLittleMemory extends Exception {
        private static final long serialVersionUID = 1L;
    }

    private Sandbox boot(SandboxSpec spec, Optional<CgroupGroup> group)
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

    private static Outcome.Usage usage(Optional<CgroupGroup> group, Duration queued, long wall) {
        return new Outcome.Usage(
                queued.toMillis(),
                wall,
                group.map(each -> each.cpuTime().toMillis()).orElse(0L),
                group.map(CgroupGroup::memoryPeakBytes).orElse(0L));
    }

    private Cell cell(Optional<CgroupGroup> group, Limits limits, Workspace workspace)
            throws Sandbox.NotMade {
        return new Cell(
                machine.host(),
                boot,
                slot.directory(),
                slot.user(),
                group.map(CgroupGroup::procsFiles).orElse(List.of()),
                machine.filtered(),
                limits,
                machine.mounts().isPresent()
                        ? Optional.empty()
                        : Optional.of(directory(workspace)));
    }

    private static Path directory(Workspace workspace) throws Sandbox.NotMade {
        return switch (workspace) {
            case Workspace.Directory(var path) -> path;
            case Workspace.Image _ ->
                    throw new Sandbox.NotMade("a plain user cannot attach a file system");
        };
    }

    private static Ending await(Sandbox sandbox, Duration wall) {
        try {
            return sandbox.awaitEnd(wall) ? Ending.BY_ITSELF : Ending.OUT_OF_TIME;
        } catch (InterruptedException cancelled) {
            return Ending.CANCELLED;
        }
    }

    private static void remove(CgroupGroup group) {
        if (!Uninterrupted.call(group::remove)) {
            throw new Unclean("the control group " + group.name() + " stays busy");
        }
    }
}

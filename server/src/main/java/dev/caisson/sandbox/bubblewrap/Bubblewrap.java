package dev.caisson.sandbox.bubblewrap;

import dev.caisson.linux.Cgroups;
import dev.caisson.linux.MountTool;
import dev.caisson.linux.ServerToken;
import dev.caisson.linux.SyscallFilter;
import dev.caisson.sandbox.Blueprint;
import dev.caisson.sandbox.Box;
import dev.caisson.sandbox.Candidate;
import dev.caisson.sandbox.Isolation;
import dev.caisson.sandbox.SandboxRuntime;
import dev.caisson.sandbox.SandboxSettings;
import dev.caisson.sandbox.Sharing;
import dev.caisson.sandbox.TooLittleMemory;
import dev.caisson.sandbox.Uninterrupted;
import dev.caisson.sandbox.Workspace;
import dev.caisson.sandbox.runners.LocalCandidates;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Bubblewrap runtime: makes sandboxes of namespaces, a control group and a filter for system
/// calls, see [SandboxSpec]. It works as root and, with fewer layers, as a plain user.
public final class Bubblewrap implements SandboxRuntime {
    private static final Logger LOG = LoggerFactory.getLogger(Bubblewrap.class);

    private final Path directory;
    private final Optional<Path> images;
    private final Machine machine;
    private final Slots slots;
    private final Preparation preparation;
    private final Isolation isolation;

    private Bubblewrap(Path directory, SandboxSettings settings, Machine machine, boolean root) {
        this.directory = directory;
        this.images = settings.images();
        this.machine = machine;
        this.slots =
                new Slots(
                        directory.resolve("slots"), settings.users(), machine.host().privileged());
        var removals =
                new SandboxRemovals(
                        machine.threads(), settings.places(), settings.sharing().part());
        this.preparation = new Preparation(machine, slots, removals);
        // Whatever the operator accepts, no program is root on the host.
        this.isolation =
                root && !machine.host().privileged()
                        ? Isolation.none(
                                "the server is root but may not mount, so programs would be root too; run it as a plain user or with CAP_SYS_ADMIN")
                        : new IsolationProbe(machine, this::makeProbed, settings.acceptMissing())
                                .isolation();
    }

    private IsolationProbe.Made makeProbed(Blueprint blueprint)
            throws IOException, InterruptedException, TooLittleMemory {
        var box = preparation.make(blueprint);
        long pid = box.sandbox().processes().program().pid();
        var subject = new ObservedIsolation.Subject(pid, box.slot(), box.limits(), box.group());
        return new IsolationProbe.Made(box, subject);
    }

    /// The tools sandboxes are made with here, for runtimes beside this one.
    public Machine machine() {
        return machine;
    }

    public Slots slots() {
        return slots;
    }

    /// Removes what a killed server left and proves the isolation.
    ///
    /// @param threads for what blocks in the kernel
    /// @throws IOException when the directory for sandboxes cannot be used
    public static Bubblewrap open(SandboxSettings settings, Executor threads) throws IOException {
        var owner = ServerToken.own();
        var groups = Cgroups.detect(settings.controlGroups(), owner);
        var directory = Sweeper.sweep(settings.directory(), owner, groups);
        boolean root = isRoot();
        boolean privileged = root && MountTool.missing().isEmpty();
        var parts = directory.resolve("runtime");
        SharedParts.prepare(parts, settings.guests());
        var sockets = SocketGate.sockets(parts);
        boolean filtered = SyscallFilter.missing().isEmpty();
        var filter = filtered ? SyscallFilter.compile(sockets) : new byte[0];
        SharedParts.filter(parts, filter);
        if (filtered) {
            SharedParts.nestFilters(parts, filter, SyscallFilter.compileForNest(sockets));
        }
        var host = Host.read(parts, Host.Programs.find(), privileged);
        var mounts = privileged ? Optional.of(new MountTool()) : Optional.<MountTool>empty();
        limitTogether(groups, settings.sharing());
        var machine = Machine.of(host, groups, mounts, filtered, sockets, threads);
        return new Bubblewrap(directory, settings, machine, root);
    }

    /// Another server of this machine may have more in use than this one allows; then its word
    /// stays.
    private static void limitTogether(Cgroups groups, Sharing sharing) {
        try {
            groups.limitTogether(sharing.memoryBytes(), sharing.processes());
        } catch (UncheckedIOException | IllegalStateException refused) {
            LOG.warn("all sandboxes together keep the limits they had", refused);
        }
    }

    private static boolean isRoot() throws IOException {
        return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    }

    @Override
    public String name() {
        return "bubblewrap";
    }

    @Override
    public Isolation isolation() {
        return isolation;
    }

    @Override
    public List<Candidate> candidates() throws IOException {
        var parts = machine.host().runtime();
        return LocalCandidates.find(parts.resolve("etc"), parts.resolve("guest"), images);
    }

    @Override
    public Workspace trialWorkspace() throws IOException {
        var workspace = directory.resolve("discovery");
        ServerDirectories.directory(workspace);
        return new Workspace.Directory(workspace);
    }

    @Override
    public boolean canPark() {
        return machine.limitsGroups() && machine.groups().canFreeze();
    }

    @Override
    public boolean canWait() {
        return machine.mounts().isPresent();
    }

    @Override
    public int boxes() {
        return slots.usersInUse();
    }

    @Override
    public Box make(Blueprint blueprint) throws IOException, InterruptedException, TooLittleMemory {
        return preparation.make(blueprint);
    }

    @Override
    public void killAll() {
        machine.launcher().close();
    }

    @Override
    public void close(Duration atMost) {
        Uninterrupted.call(() -> preparation.awaitRemoved(atMost));
        machine.close();
        try {
            ServerDirectories.delete(directory);
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot remove " + directory, failed);
        }
    }
}

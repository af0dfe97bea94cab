package dev.caisson.sandbox.nest;

import dev.caisson.linux.CgroupGroup;
import dev.caisson.linux.Descriptor;
import dev.caisson.linux.KeptNetwork;
import dev.caisson.linux.PidFd;
import dev.caisson.linux.PipeEnd;
import dev.caisson.linux.TmpfsSize;
import dev.caisson.sandbox.Blueprint;
import dev.caisson.sandbox.NotMade;
import dev.caisson.sandbox.Uninterrupted;
import dev.caisson.sandbox.bubblewrap.LimitFiles;
import dev.caisson.sandbox.bubblewrap.Machine;
import dev.caisson.sandbox.bubblewrap.NestPlan;
import dev.caisson.sandbox.bubblewrap.SandboxKill;
import dev.caisson.sandbox.bubblewrap.SandboxMounts;
import dev.caisson.sandbox.bubblewrap.SandboxProcesses;
import dev.caisson.sandbox.bubblewrap.SandboxSpec;
import dev.caisson.sandbox.bubblewrap.Slot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sandbox of a nest in the making. Closed before it is finished, it takes apart what there is of
/// it; its users are not used again unless everything that ran as them is dead.
final class NestDraft implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NestDraft.class);

    /// A guest that is not ready by then never will be.
    private static final Duration BOOT_MAX = Duration.ofSeconds(20);

    private static final int SAID_BYTES_MAX = 4_096;
    private static final AtomicLong COUNT = new AtomicLong();

    private final Machine machine;
    private final NestUsers.Pair users;
    private final NestUsers.Place place;
    private final Slot slot;
    private final Blueprint blueprint;
    private final Spares spares;
    private final List<Descriptor> joining = new ArrayList<>();
    private Optional<CgroupGroup> group = Optional.empty();
    private Optional<NestPipes> pipes = Optional.empty();
    private Optional<PidFd> shell = Optional.empty();
    private Optional<PidFd> program = Optional.empty();
    private Optional<PidFd> leader = Optional.empty();
    private Optional<SandboxMounts> mounts = Optional.empty();
    private Optional<KeptNetwork> network = Optional.empty();
    private Optional<Descriptor> home = Optional.empty();
    private boolean born;
    private boolean finished;

    /// @param place of these users
    /// @param spares of its nest
    NestDraft(
            Machine machine,
            NestUsers.Pair users,
            NestUsers.Place place,
            Blueprint blueprint,
            Spares spares) {
        this.machine = machine;
        this.users = users;
        this.place = place;
        this.slot = place.slot();
        this.blueprint = blueprint;
        this.spares = spares;
    }

    /// Namespaces with a first process in them, and everything mounted that does not depend on a
    /// run.
    void makeShell(NestLine nest) throws IOException {
        var limits = blueprint.limits();
        if (place.stated().filter(before -> LimitFiles.areSame(before, limits)).isEmpty()) {
            slot.state(limits);
        }
        var made = group();
        made.weigh(blueprint.weight());
        made.homeFor(users.of().own())
                .ifPresentOrElse(
                        directory -> {
                            home = Optional.of(Descriptor.toRead(directory));
                            joining.add(home.get());
                            born = true;
                        },
                        () -> joining.addAll(made.joins()));
        pipes = Optional.of(NestPipes.open(users.uid()));
        var descriptors = new ArrayList<Descriptor>();
        descriptors.add(pipes.get().statusTheirs());
        network = spares.network();
        network.map(KeptNetwork::namespace).ifPresent(descriptors::add);
        descriptors.addAll(joining);
        var first =
                nest.ask(
                        NestOrder.shell(
                                users.first(),
                                users.program(),
                                network.isPresent(),
                                born,
                                NestPlan.own(limits, network.isEmpty()),
                                descriptors));
        shell = Optional.of(first);
        if (spares.keeps() && network.isEmpty()) {
            network = Optional.of(KeptNetwork.of(first));
        }
        var tool = machine.mounts().orElseThrow();
        mounts = Optional.of(new SandboxMounts(tool, first, first, users.uid()));
        mounts.get().hold();
        mounts.get().furnish(NestPlan.later(limits, slot.directory()));
    }

    /// A workspace in memory, for a run that is not known yet.
    void prepare(TmpfsSize workspace) {
        mounts.orElseThrow().prepare(workspace);
    }

    private CgroupGroup group() throws NotMade {
        try {
            var limits = SandboxSpec.groupLimits(blueprint.limits());
            group = spares.group();
            if (group.isPresent()) {
                group.get().update(limits);
                return group.get();
            }
            var name = slot.groupName(COUNT.incrementAndGet());
            group = Optional.of(machine.groups().create(name, limits));
            return group.get();
        } catch (IllegalStateException | UncheckedIOException failed) {
            throw new NotMade(String.valueOf(failed.getMessage()));
        }
    }

    /// The program's process, by a fork of a booted interpreter.
    void fork(NestLine zygote) throws IOException {
        var limits = NestPlan.processLimits(blueprint.limits());
        boolean restricted = NestPlan.restricts(machine.sockets());
        try (var held = held()) {
            meet(zygote.askFor(NestOrder.fork(restricted, born, limits, held.all())));
        }
        release();
    }

    /// The program's process, by starting its interpreter, and waiting until it is ready.
    void execute(NestLine nest) throws IOException {
        var boot = blueprint.boot();
        var limits = blueprint.limits();
        boolean restricted = NestPlan.restricts(machine.sockets());
        try (var held = held()) {
            meet(
                    nest.askFor(
                            NestOrder.exec(
                                    restricted,
                                    born,
                                    NestPlan.processLimits(limits),
                                    boot.command(),
                                    NestPlan.environment(boot, limits, false),
                                    held.all())));
        }
        release();
        awaitGuest();
    }

    private void meet(NestLine.Named named) {
        program = Optional.of(named.process());
        leader = Optional.of(named.group());
    }

    /// A shell's descriptor that can be given away, and those of the program.
    private record Held(Descriptor shell, List<Descriptor> all) implements AutoCloseable {
        @Override
        public void close() {
            shell.close();
        }
    }

    private Held held() {
        var given = shell.orElseThrow().duplicate();
        var all = new ArrayList<Descriptor>();
        all.add(given);
        all.addAll(pipes.orElseThrow().theirs());
        all.addAll(joining);
        return new Held(given, all);
    }

    private void awaitGuest() throws IOException {
        var control = pipes.orElseThrow().control();
        long end = System.nanoTime() + BOOT_MAX.toNanos();
        var word = new byte[1];
        int count = control.read(word);
        while (count == 0 && System.nanoTime() - end < 0) {
            PipeEnd.awaitAny(List.of(control), List.of(shell.orElseThrow()), BOOT_MAX);
            boolean dead = shell.orElseThrow().hasExited();
            count = control.read(word);
            if (dead && count == 0) {
                break;
            }
        }
        if (count != 1 || word[0] != 'R') {
            throw new NotMade("no guest: " + said());
        }
    }

    private String said() {
        var text = new byte[SAID_BYTES_MAX];
        int count = Math.max(0, pipes.orElseThrow().stderr().read(text));
        return new String(text, 0, count, StandardCharsets.UTF_8).strip();
    }

    private void release() {
        pipes.ifPresent(NestPipes::release);
        home.ifPresent(Descriptor::close);
    }

    boolean lackedMemory() {
        return group.map(CgroupGroup::oomKills).orElse(0L) > 0;
    }

    NestBox.Parts finish() {
        var parts =
                new NestBox.Parts(
                        users,
                        slot,
                        group.orElseThrow(),
                        blueprint.limits(),
                        blueprint.boot().files(),
                        pipes.orElseThrow(),
                        new SandboxProcesses(shell.orElseThrow(), program.orElseThrow()),
                        leader.orElseThrow(),
                        mounts.orElseThrow(),
                        network);
        finished = true;
        return parts;
    }

    @Override
    public void close() throws IOException {
        if (finished) {
            return;
        }
        release();
        shell.ifPresent(PidFd::kill);
        boolean dead =
                shell.isEmpty()
                        || Uninterrupted.call(() -> shell.get().awaitExit(SandboxKill.DEATH_MAX));
        mounts.ifPresent(SandboxMounts::close);
        network.ifPresent(KeptNetwork::close);
        program.ifPresent(PidFd::close);
        leader.ifPresent(PidFd::close);
        shell.ifPresent(PidFd::close);
        if (pipes.isPresent()) {
            pipes.get().close();
        }
        boolean clean = dead && (group.isEmpty() || Uninterrupted.call(group.get()::remove));
        if (clean) {
            slot.close();
        } else {
            LOG.error("slot {} is not reused: something was left in it", slot.number());
        }
    }
}

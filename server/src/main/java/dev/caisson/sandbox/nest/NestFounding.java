package dev.caisson.sandbox.nest;

import dev.caisson.linux.CgroupGroup;
import dev.caisson.linux.ChildProcess;
import dev.caisson.linux.Descriptor;
import dev.caisson.linux.MessageSocket;
import dev.caisson.linux.OomScore;
import dev.caisson.linux.PidFd;
import dev.caisson.linux.PipeEnd;
import dev.caisson.sandbox.Boot;
import dev.caisson.sandbox.Limits;
import dev.caisson.sandbox.NotMade;
import dev.caisson.sandbox.Uninterrupted;
import dev.caisson.sandbox.bubblewrap.Machine;
import dev.caisson.sandbox.bubblewrap.NestPlan;
import dev.caisson.sandbox.bubblewrap.SandboxMounts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Founding of one nest: users, control group, the nest itself, what is shown in it, and a zygote
/// if its interpreter can be forked: one that has several threads when it is ready is booted for
/// each sandbox instead. Closed before it is done, it takes back what there is.
final class NestFounding implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NestFounding.class);

    private static final Duration READY_MAX = Duration.ofSeconds(20);
    private static final Duration DEATH_MAX = Duration.ofSeconds(10);
    private static final int SAID_BYTES_MAX = 4_096;

    private final NestTools tools;
    private final Machine machine;
    private final NestUsers users;
    private Optional<CgroupGroup> group = Optional.empty();
    private Optional<PidFd> outer = Optional.empty();
    private Optional<PidFd> first = Optional.empty();
    private Optional<NestLine> line = Optional.empty();
    private Optional<NestLine> zygote = Optional.empty();
    private Optional<PipeEnd> log = Optional.empty();
    private boolean done;

    private NestFounding(NestTools tools) throws NotMade {
        this.tools = tools;
        this.machine = tools.machine();
        this.users = NestUsers.lease(tools.slots(), tools.sandboxes());
    }

    /// @param forks whether its interpreter is forked, if that turns out to be possible
    /// @throws IOException when there is none, with the reason
    static Nest found(NestTools tools, Boot boot, boolean forks) throws IOException {
        try (var founding = new NestFounding(tools)) {
            var plan = NestPlan.of(founding.machine.host(), boot, tools.sandboxes());
            founding.start(plan);
            founding.show(plan);
            if (forks) {
                founding.hatchZygote(boot);
            }
            return founding.nest();
        }
    }

    /// The program that nests are.
    static Path program(Machine machine) {
        return machine.host().runtime().resolve("guest/nest/nest");
    }

    private void start(NestPlan plan) throws IOException {
        group = Optional.of(machine.groups().create("nest-" + users.own(), Nest.LIMITS));
        var program = program(machine).toString();
        var words = words(program, plan);
        var ends = MessageSocket.pair();
        line = Optional.of(new NestLine(ends.ours()));
        try (var theirs = ends.theirs();
                var input = Descriptor.Pipe.open();
                var said = Descriptor.Pipe.open()) {
            log = Optional.of(PipeEnd.open(said.reading().path()));
            // Nothing of its own is ever where programs are given something.
            var descriptors = new HashMap<Integer, Descriptor>();
            for (int place = 0; place < NestOrder.SERVER; place++) {
                descriptors.put(place, input.reading());
            }
            descriptors.put(1, said.writing());
            descriptors.put(2, said.writing());
            descriptors.put(NestOrder.SERVER, theirs);
            outer =
                    Optional.of(
                            machine.launcher()
                                    .start(() -> ChildProcess.start(program, words, descriptors)));
        }
        first = Optional.of(greeted(line.get()));
    }

    private List<String> words(String program, NestPlan plan) {
        var words = new ArrayList<String>();
        words.addAll(List.of(program, "outer", users.map(), "" + OomScore.SANDBOX));
        group.orElseThrow().procsFiles().forEach(file -> words.add(file.toString()));
        words.add("--");
        words.addAll(plan.root());
        words.add("--");
        words.addAll(plan.shell());
        return words;
    }

    private PidFd greeted(NestLine from) throws IOException {
        try {
            return from.greeting(READY_MAX);
        } catch (IOException silent) {
            throw new NotMade(
                    "a nest did not come up: %s: %s".formatted(silent.getMessage(), said()));
        }
    }

    private String said() {
        var text = new byte[SAID_BYTES_MAX];
        int count = Math.max(0, log.map(each -> each.read(text)).orElse(0));
        return new String(text, 0, count, StandardCharsets.UTF_8).strip();
    }

    private void show(NestPlan plan) {
        if (!plan.shown().isEmpty()) {
            var tool = machine.mounts().orElseThrow();
            var nest = first.orElseThrow();
            try (var mounts = new SandboxMounts(tool, nest, nest, users.own())) {
                mounts.furnish(List.copyOf(plan.shown()));
            }
        }
    }

    private void hatchZygote(Boot boot) throws IOException {
        var ends = MessageSocket.pair();
        zygote = Optional.of(new NestLine(ends.ours()));
        try (var theirs = ends.theirs();
                var input = Descriptor.Pipe.open()) {
            var environment = NestPlan.environment(boot, Limits.DEFAULT, true);
            var order = NestOrder.zygote(boot.command(), environment, input.reading(), theirs);
            line.orElseThrow().ask(order).close();
        }
        try (var process = greeted(zygote.get())) {
            long threads = threads(process);
            if (threads != 1) {
                LOG.info("{} is not forked: it has {} threads", boot.command().getFirst(), threads);
                process.kill();
                zygote.get().close();
                zygote = Optional.empty();
            }
        }
    }

    /// A fork of a process with several threads has one, and the locks of all.
    private static long threads(PidFd zygote) throws IOException {
        try (var threads = Files.list(Path.of("/proc", "" + zygote.pid(), "task"))) {
            return threads.count();
        }
    }

    private Nest nest() {
        var nest =
                new Nest(
                        tools,
                        new Nest.Founded(
                                users,
                                group.orElseThrow(),
                                outer.orElseThrow(),
                                first.orElseThrow(),
                                line.orElseThrow(),
                                zygote));
        done = true;
        return nest;
    }

    @Override
    public void close() {
        // What it says from now on nobody reads: it never waits for that, see nest.c.
        log.ifPresent(PipeEnd::close);
        if (done) {
            return;
        }
        line.ifPresent(NestLine::close);
        zygote.ifPresent(NestLine::close);
        first.ifPresent(PidFd::kill);
        outer.ifPresent(PidFd::kill);
        outer.ifPresent(process -> {
            Uninterrupted.call(() -> machine.reaper().reap(process, DEATH_MAX));
            process.close();
        });
        first.ifPresent(PidFd::close);
        if (group.isEmpty() || Uninterrupted.call(group.get()::remove)) {
            users.close();
        }
    }
}

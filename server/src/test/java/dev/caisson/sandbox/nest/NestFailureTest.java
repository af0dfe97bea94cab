package dev.caisson.sandbox.nest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.caisson.linux.Descriptor;
import dev.caisson.linux.PidFd;
import dev.caisson.sandbox.Boot;
import dev.caisson.sandbox.bubblewrap.ProcessLimit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What becomes of sandboxes, and of those of others, when something of a nest fails.
@Tag("root")
@Tag("slow")
class NestFailureTest extends NestsTestCase {
    private static final int SIGSTOP = 19;

    @Test
    void the_death_of_a_zygote_ends_its_nest_and_no_other() throws Exception {
        var lost = make("one", python());
        begin(lost, "import time; time.sleep(600)");
        var other = make("two", python());
        var output = begin(other, "import time; time.sleep(1); print('on')");
        zygote(lost.nest()).destroyForcibly();
        assertThatThrownBy(() -> make("one", python())).isInstanceOf(IOException.class);
        assertThat(lost.nest().isAlive()).isFalse();
        run("one", "pass");
        assertThat(lost.awaitEnd(PATIENCE)).isTrue();
        assertThat(lost.wasLost()).isTrue();
        assertThat(other.awaitEnd(PATIENCE)).isTrue();
        assertThat(other.wasLost()).isFalse();
        assertThat(output.text(output.stdout)).isEqualTo("on\n");
        lost.end();
        other.end();
    }

    private static ProcessHandle zygote(Nest nest) {
        return ProcessHandle.of(nest.founded().first().pid())
                .orElseThrow()
                .children()
                .filter(child -> child.info().command().orElse("").contains("python"))
                .filter(child -> !isInside(child, nest))
                .findFirst()
                .orElseThrow();
    }

    /// The zygote is in the nest's own process namespace.
    private static boolean isInside(ProcessHandle process, Nest nest) {
        try {
            return !Files.readSymbolicLink(Path.of("/proc", "" + process.pid(), "ns/pid"))
                    .equals(
                            Files.readSymbolicLink(
                                    Path.of("/proc", "" + nest.founded().first().pid(), "ns/pid")));
        } catch (IOException gone) {
            return true;
        }
    }

    @Test
    void a_nest_that_does_not_answer_is_left_and_its_programs_end() throws Exception {
        var lost = make("one", python());
        begin(lost, "import time; time.sleep(600)");
        lost.nest().founded().first().signal(SIGSTOP);
        assertThatThrownBy(() -> make("one", python())).isInstanceOf(IOException.class);
        run("one", "pass");
        assertThat(lost.awaitEnd(PATIENCE)).isTrue();
        assertThat(lost.wasLost()).isTrue();
        lost.end();
    }

    @Test
    void a_zygote_that_does_not_answer_ends_its_nest_and_no_other() throws Exception {
        var lost = make("one", python());
        begin(lost, "import time; time.sleep(600)");
        var other = make("two", python());
        try (var zygote = PidFd.open(zygote(lost.nest()).pid())) {
            zygote.signal(SIGSTOP);
            assertThatThrownBy(() -> make("one", python())).isInstanceOf(IOException.class);
        }
        assertThat(lost.nest().isAlive()).isFalse();
        run("one", "pass");
        assertThat(lost.awaitEnd(PATIENCE)).isTrue();
        assertThat(lost.wasLost()).isTrue();
        assertThat(other.nest().isAlive()).isTrue();
        lost.end("one");
        other.end("two");
    }

    /// A server that dies closes its sockets, and its thread's children die with it.
    @Test
    void a_nest_whose_server_is_gone_ends() throws Exception {
        var one = make("one", python());
        var two = make("two", python());
        one.nest().founded().line().close();
        two.nest().founded().outer().kill();
        for (var box : List.of(one, two)) {
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> box.nest().founded().first().hasExited());
            Awaitility.await().atMost(PATIENCE).until(box::hasEnded);
            box.end();
        }
    }

    @Test
    void after_three_failures_a_shape_is_left_to_others_for_a_while() throws Exception {
        var boot = new Boot(root(), List.of("/bin/false"), Map.of(), List.of("main.py"));
        for (int trial = 0; trial < Nests.FAILURES_MAX; trial++) {
            assertThat(nests.isReadyFor("one", blueprint(boot))).isTrue();
            assertThatThrownBy(() -> make("one", boot)).isInstanceOf(IOException.class);
        }
        assertThat(nests.isReadyFor("one", blueprint(boot))).isFalse();
        assertThat(nests.isReadyFor("one", blueprint(python()))).isTrue();
        assertThat(nests.isReadyFor("two", blueprint(boot))).isTrue();
    }

    /// Whatever fails before a program is there is named, and neither the nest nor the zygote nor a
    /// sandbox suffers.
    @Test
    void a_step_that_fails_is_named_and_the_nest_goes_on() throws Exception {
        var box = make("one", python());
        var nest = box.nest().founded().line();
        var zygote = box.nest().founded().zygote().orElseThrow();
        try (var full = Descriptor.toWrite(Path.of("/dev/full"));
                var shell = box.parts().processes().first().duplicate()) {
            // As a kernel answers that enters no namespaces by a pidfd.
            var noShell = List.of(full, full, full, full, full);
            var noGroup = List.of(shell, full, full, full, full, full);
            var wired = List.of(shell, full, full, full, full);
            var unknown = List.of(new ProcessLimit("unknown", 99, 1, 1));
            refused(zygote, NestOrder.fork(true, false, List.of(), noShell), "setns by a pidfd");
            refused(zygote, NestOrder.fork(true, false, List.of(), noGroup), "join_groups");
            refused(zygote, NestOrder.fork(true, false, unknown, wired), "prlimit");
            refused(zygote, NestOrder.fork(true, false, List.of(), List.of(shell)), "descriptors");
            refused(zygote, exec(noShell), "an order for a zygote");
            refused(nest, exec(noShell), "setns by a pidfd");
            refused(nest, exec(noGroup), "join_groups");
            refused(nest, NestOrder.fork(true, false, List.of(), wired), "an order for a nest");
            refused(
                    nest,
                    NestOrder.shell(1, 2, false, false, List.of(), List.of()),
                    "a shell's descriptors");
            refused(
                    nest,
                    NestOrder.shell(9_999, 2, false, false, List.of(), List.of(full)),
                    "users");
            refused(
                    nest,
                    NestOrder.shell(1, 2, false, false, List.of(), List.of(full, full)),
                    "join_groups");
            var impossible = List.of("tmpfs", "size=much", "/tmp", "6");
            refused(nest, NestOrder.shell(1, 2, false, false, impossible, List.of(full)), "/tmp");
            refused(
                    nest,
                    NestOrder.shell(1, 2, false, false, List.of("tmpfs"), List.of(full)),
                    "row[1]");
        }
        assertThat(run("one", "pass")).isEmpty();
        var output = begin(box, "print('on')");
        assertThat(box.awaitEnd(PATIENCE)).isTrue();
        assertThat(output.text(output.stdout)).isEqualTo("on\n");
        box.end("one");
    }

    private static NestOrder exec(List<Descriptor> descriptors) {
        return NestOrder.exec(
                true, false, List.of(), List.of("/bin/true"), new TreeMap<>(Map.of()), descriptors);
    }

    private static void refused(NestLine line, NestOrder order, String why) {
        assertThatThrownBy(() -> line.ask(order))
                .isInstanceOf(NestLine.Refused.class)
                .hasMessageContaining(why);
        assertThat(line.isBroken()).isFalse();
    }

    @Test
    void a_guest_that_does_not_come_up_leaves_no_slot_and_no_group() throws Exception {
        var boot = new Boot(root(), List.of("/bin/false"), Map.of(), List.of("main.sh"));
        assertThatThrownBy(() -> make("one", boot)).isInstanceOf(IOException.class);
        assertThat(slots()).isZero();
        // The nest's own is all there is.
        assertThat(nests.count()).isEqualTo(1);
    }

    /// Where control groups are of version 1, a frozen process cannot even be killed, and the
    /// server thaws its own groups alone.
    @Test
    void the_users_of_a_sandbox_that_does_not_die_serve_no_other() throws Exception {
        var stuck = make("one", python());
        begin(stuck, "import time; time.sleep(600)");
        int user = user(stuck.parts().processes().first());
        try (var frozen = new ForeignFreezer(stuck.parts().processes().first().pid())) {
            stuck.end("one");
            var others = new ArrayList<NestBox>();
            for (int each = 1; each < SANDBOXES; each++) {
                others.add(make("one", python()));
            }
            for (var other : others) {
                assertThat(user(other.parts().processes().first())).isNotEqualTo(user);
            }
            if (frozen.holdsWhatIsKilled()) {
                assertThatThrownBy(() -> make("one", python())).hasMessageContaining("is taken");
            }
            others.forEach(each -> each.end("one"));
        }
        Awaitility.await().atMost(PATIENCE).until(this::everyPlaceServes);
    }

    /// It is given up after some trials, and what dies later is as little trusted.
    @Test
    void the_users_of_a_sandbox_that_was_given_up_serve_no_other_when_it_is_dead_at_last()
            throws Exception {
        nests.killAll();
        nests = nests(Nests.Life.USUAL, 2, true, 1);
        var stuck = make("one", python());
        begin(stuck, "import time; time.sleep(600)");
        int user = user(stuck.parts().processes().first());
        long process = stuck.parts().processes().first().pid();
        try (var frozen = new ForeignFreezer(process)) {
            assumeThat(frozen.holdsWhatIsKilled())
                    .as("what is frozen in a group of version 2 dies all the same")
                    .isTrue();
            stuck.end("one");
            removals.await(PATIENCE);
            assertThat(stuck.hasEnded()).isFalse();
        }
        Awaitility.await().atMost(PATIENCE).until(() -> !isThere(process));
        for (int each = 0; each < 3; each++) {
            var other = make("one", python());
            assertThat(user(other.parts().processes().first())).isNotEqualTo(user);
            assertThatThrownBy(() -> make("one", python())).hasMessageContaining("is taken");
            other.end("one");
            removals.await(PATIENCE);
        }
        assertThat(nests.resting().slots()).doesNotContain(stuck.parts().slot().number());
        nests.killAll();
        // The next server would remove these.
        assertThat(stuck.parts().group().remove()).isTrue();
        stuck.parts().slot().close();
    }

    private static boolean isThere(long process) {
        return ProcessHandle.of(process).isPresent();
    }

    private boolean everyPlaceServes() throws Exception {
        var all = new ArrayList<NestBox>();
        try {
            for (int each = 0; each < SANDBOXES; each++) {
                all.add(make("one", python()));
            }
            return true;
        } catch (IOException taken) {
            return false;
        } finally {
            all.forEach(each -> each.end("one"));
        }
    }
}

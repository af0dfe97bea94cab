package dev.caisson.sandbox.nest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.linux.ExitStatus;
import dev.caisson.linux.MemoryMount;
import dev.caisson.linux.TmpfsSize;
import dev.caisson.sandbox.Boot;
import dev.caisson.sandbox.GuestOrder;
import dev.caisson.sandbox.Job;
import dev.caisson.sandbox.Rig;
import dev.caisson.sandbox.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What is mounted in a sandbox of a nest is taken apart after its end, unless others wait for it.
@Tag("root")
@Tag("slow")
class NestMountsTest extends NestsTestCase {
    private static final TmpfsSize SIZE = new TmpfsSize(1 << 20, 10, Workspace.OWNER);

    /// The namespace of a sandbox, by the kernel's name for it.
    private static Path mounts(NestBox box) throws IOException {
        var first = box.parts().processes().first();
        return Files.readSymbolicLink(Path.of("/proc", "" + first.pid(), "ns/mnt"));
    }

    private static boolean isHeld(Path namespace) throws IOException {
        try (var open = Files.list(Path.of("/proc/self/fd"))) {
            return open.anyMatch(each -> leadsTo(each, namespace));
        }
    }

    private static boolean leadsTo(Path descriptor, Path wanted) {
        try {
            return Files.readSymbolicLink(descriptor).equals(wanted);
        } catch (IOException closedMeanwhile) {
            return false;
        }
    }

    private static void run(NestBox box, Workspace workspace) throws Exception {
        box.attach(workspace);
        runIn(box);
    }

    private static void runIn(NestBox box) throws Exception {
        box.handOver(new Job("open('made', 'w')", Map.of(), new Rig.Output(), GuestOrder.NONE));
        assertThat(box.awaitEnd(PATIENCE)).isTrue();
        assertThat(box.status()).isEqualTo(new ExitStatus.Exited(0));
    }

    @Test
    void the_end_of_a_run_in_memory_does_not_wait_for_its_mounts() throws Exception {
        var box = make("one", python());
        var namespace = mounts(box);
        try (var memory = MemoryMount.make(SIZE)) {
            run(box, new Workspace.Image(memory));
            assertThat(memory.room().filesUsed()).isEqualTo(1);
            assertThat(isHeld(namespace)).isTrue();
        } finally {
            box.end("one");
        }
        Awaitility.await().atMost(PATIENCE).until(() -> !isHeld(namespace));
    }

    @Test
    void a_workspace_on_disk_is_free_when_its_run_has_ended() throws Exception {
        var box = make("one", python());
        var namespace = mounts(box);
        try {
            assertThat(isHeld(namespace)).isTrue();
            run(box, new Workspace.Directory(workspace));
            assertThat(isHeld(namespace)).isFalse();
        } finally {
            box.end("one");
        }
    }

    @Test
    void a_sandbox_that_was_never_used_leaves_no_mounts() throws Exception {
        var box = make("one", python());
        var namespace = mounts(box);
        box.end("one");
        Awaitility.await().atMost(PATIENCE).until(() -> !isHeld(namespace));
    }

    /// What is mounted for the workspace, without numbers that differ between mounts.
    private static List<String> workspaces(NestBox box) throws IOException {
        var mounts = Path.of("/proc", "" + box.parts().processes().first().pid(), "mountinfo");
        try (var lines = Files.lines(mounts)) {
            return lines.map(line -> line.split(" ", 4)[3])
                    .filter(line -> line.startsWith("/ /workspace "))
                    .toList();
        }
    }

    private List<String> ran(NestBox box, Workspace workspace) throws Exception {
        try {
            box.attach(workspace);
            var seen = workspaces(box);
            runIn(box);
            return seen;
        } finally {
            box.end("one");
        }
    }

    @Test
    void a_workspace_in_memory_is_there_before_the_run_that_wants_it() throws Exception {
        List<String> attached;
        try (var memory = MemoryMount.planned(SIZE)) {
            attached = ran(make("one", python()), new Workspace.Image(memory));
            assertThat(memory.room().filesUsed()).isEqualTo(1);
        }
        assertThat(attached).hasSize(1);
        var next = make("one", python());
        assertThat(workspaces(next)).isEqualTo(attached);
        try (var memory = MemoryMount.planned(SIZE)) {
            assertThat(ran(next, new Workspace.Image(memory))).isEqualTo(attached);
            assertThat(memory.room().filesUsed()).isEqualTo(1);
            assertThat(Path.of("/proc/self/fd/" + memory.root(), "made")).exists();
        }
    }

    @Test
    void a_run_that_wants_another_workspace_has_that() throws Exception {
        try (var memory = MemoryMount.planned(SIZE)) {
            ran(make("one", python()), new Workspace.Image(memory));
        }
        var larger = new TmpfsSize(2 * SIZE.bytes(), SIZE.files(), SIZE.owner());
        try (var memory = MemoryMount.planned(larger)) {
            assertThat(ran(make("one", python()), new Workspace.Image(memory))).hasSize(2);
            assertThat(memory.room().filesUsed()).isEqualTo(1);
        }
        ran(make("one", python()), new Workspace.Directory(workspace));
        assertThat(workspace.resolve("made")).exists();
    }

    /// Of another nest, which knows nothing of runs.
    private Boot another() throws IOException {
        return python().showing(List.of(new Boot.Shown(workspace.toString(), workspace)));
    }

    /// As for a run whose first sandbox died before it began.
    @Test
    void one_that_a_dead_sandbox_had_is_made_again_for_another() throws Exception {
        try (var memory = MemoryMount.planned(SIZE)) {
            ran(make("one", python()), new Workspace.Image(memory));
        }
        try (var memory = MemoryMount.planned(SIZE)) {
            var dead = make("one", python());
            dead.attach(new Workspace.Image(memory));
            dead.end("one");
            var other = make("one", another());
            other.attach(new Workspace.Image(memory));
            other.end("one");
            assertThat(memory.room().filesUsed()).isZero();
            ran(make("one", python()), new Workspace.Image(memory));
            assertThat(memory.room().filesUsed()).isEqualTo(1);
        }
    }
}

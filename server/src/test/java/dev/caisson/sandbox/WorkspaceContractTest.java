package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.linux.LoopImages;
import dev.caisson.linux.MemoryMount;
import dev.caisson.linux.TmpfsSize;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// A workspace that is a file system of its own: what a program writes stays, and its size is a
/// wall.
@Tag("root")
@ExtendWith(Rig.Shared.class)
abstract class WorkspaceContractTest {
    private static final long BYTES = 32L << 20;
    private static final long FILES = 500;

    private final Rig rig;

    WorkspaceContractTest(Rig rig) {
        this.rig = rig;
    }

    @Test
    void files_stay_from_run_to_run_and_the_size_is_a_wall(@TempDir Path directory)
            throws Exception {
        var images = new LoopImages(Workspace.OWNER);
        var image = directory.resolve("thread.img");
        images.create(image, BYTES, FILES);
        try (var mount = images.mount(image)) {
            var workspace = new Workspace.Image(mount);
            assertThat(run(workspace, "echo kept > /data/note; stat -c %u /workspace/note"))
                    .isEqualTo("1000\n");
            assertThat(run(workspace, "cat /home/baponi/note; rm note")).isEqualTo("kept\n");
            var fill =
                    "head -c 64M /dev/zero > big 2>/dev/null; echo $?; stat -c %s big | cut -c1-2; rm big";
            assertThat(run(workspace, fill)).matches("1\n[23]\\d\n");
            var many =
                    "n=0; while : > f$n; do n=$((n+1)); done 2>/dev/null; echo $((n > 400 && n < 600))";
            assertThat(run(workspace, many)).isEqualTo("1\n");
        }
    }

    @Test
    void one_in_memory_is_a_wall_too_and_its_files_can_be_read_afterwards() throws Exception {
        try (var mount = MemoryMount.make(new TmpfsSize(BYTES, FILES, Workspace.OWNER))) {
            var workspace = new Workspace.Image(mount);
            assertThat(run(workspace, "echo left > note; stat -c %u:%a note . | tr '\\n' ' '"))
                    .isEqualTo("1000:644 1000:755 ");
            var note = Path.of("/proc/self/fd/" + mount.descriptor(), "note");
            assertThat(note).hasContent("left\n");
            var fill =
                    "head -c 64M /dev/zero > big 2>/dev/null; echo $?; stat -c %s big | cut -c1-2; rm big";
            assertThat(run(workspace, fill)).isEqualTo("1\n33\n");
            var many =
                    "n=0; while : > f$n; do n=$((n+1)); done 2>/dev/null; echo $((n > 400 && n < 600))";
            assertThat(run(workspace, many)).isEqualTo("1\n");
        }
    }

    @Test
    void what_a_program_writes_to_one_in_memory_counts_to_its_memory() throws Exception {
        long small = 64L << 20;
        try (var mount = MemoryMount.make(new TmpfsSize(4 * small, FILES, Workspace.OWNER))) {
            var limits = Rig.LIMITS.withMemory(small);
            assertThat(outcome(new Workspace.Image(mount), "head -c 200M /dev/zero > big", limits))
                    .isInstanceOf(Outcome.OutOfMemory.class);
        }
    }

    private String run(Workspace workspace, String code) throws InterruptedException {
        var output = new Rig.Output();
        assertThat(outcome(workspace, code, Rig.LIMITS, output)).isInstanceOf(Outcome.Exited.class);
        return output.text(output.stdout);
    }

    private Outcome outcome(Workspace workspace, String code, Limits limits)
            throws InterruptedException {
        return outcome(workspace, code, limits, new Rig.Output());
    }

    private Outcome outcome(Workspace workspace, String code, Limits limits, Rig.Output output)
            throws InterruptedException {
        var runner = rig.sandboxes().runners().of(Language.BASH).orElseThrow();
        return rig.sandboxes().run(new Run("w", runner, code, limits, Map.of(), workspace, output));
    }
}

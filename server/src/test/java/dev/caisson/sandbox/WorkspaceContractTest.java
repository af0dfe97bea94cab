package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.linux.LoopImages;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// A workspace that is a file system of its own: what a program writes stays, and its size is a
/// wall.
@ExtendWith(Rig.Shared.class)
class WorkspaceContractTest {
    private static final long BYTES = 32L << 20;
    private static final long FILES = 500;

    private final Rig rig;

    WorkspaceContractTest(Rig rig) {
        this.rig = rig;
    }

    @Test
    void files_stay_from_run_to_run_and_the_size_is_a_wall(@TempDir Path directory)
            throws Exception {
        var images = new LoopImages(SandboxSpec.USER_INSIDE);
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

    private String run(Workspace workspace, String code) throws InterruptedException {
        var runner = rig.sandboxes().runners().of(Language.BASH).orElseThrow();
        var output = new Rig.Output();
        var run = new Run("w", runner, code, Rig.LIMITS, Map.of(), workspace, output);
        assertThat(rig.sandboxes().run(run)).isInstanceOf(Outcome.Exited.class);
        return output.text(output.stdout);
    }
}

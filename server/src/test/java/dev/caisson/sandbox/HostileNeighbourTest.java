package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.linux.ProcessTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// What one caller's programs do is answered truly, and is neither another's loss nor our fault.
@Tag("root")
@InBubblewrap
@ExtendWith(Rig.Shared.class)
class HostileNeighbourTest {
    private static final int BOMBS = 6;

    private final Rig rig;

    HostileNeighbourTest(Rig rig) {
        this.rig = rig;
    }

    @Test
    void a_sandbox_is_ended_first_when_memory_is_short() throws Exception {
        var result = rig.run(Language.PYTHON, "print(open('/proc/self/oom_score_adj').read())");
        assertThat(result.stdout().strip()).isEqualTo("1000");
    }

    @Test
    void all_sandboxes_together_have_less_memory_than_the_machine() throws Exception {
        var v1 = Path.of("/sys/fs/cgroup/memory/caisson/memory.limit_in_bytes");
        var v2 = Path.of("/sys/fs/cgroup/caisson/memory.max");
        var limit = Files.readString(Files.exists(v1) ? v1 : v2).strip();
        assertThat(Long.parseLong(limit)).isLessThanOrEqualTo(Sharing.DEFAULT.memoryBytes());
    }

    @Test
    void all_sandboxes_together_have_fewer_processes_than_the_machine() throws Exception {
        var v1 = Path.of("/sys/fs/cgroup/pids/caisson/pids.max");
        var v2 = Path.of("/sys/fs/cgroup/caisson/pids.max");
        var limit = Files.readString(Files.exists(v1) ? v1 : v2).strip();
        assertThat(Integer.parseInt(limit))
                .isEqualTo(Sharing.DEFAULT.processes())
                .isLessThanOrEqualTo(ProcessTable.size() / 2);
    }

    @Test
    void fork_bombs_at_once_are_answered_and_leave_their_slots() throws Exception {
        var limits = Rig.LIMITS.withWall(Duration.ofSeconds(2));
        var bomb = "import os\nwhile True:\n  try: os.fork()\n  except OSError: pass";
        try (var callers = Executors.newFixedThreadPool(BOMBS)) {
            var all = new ArrayList<Callable<Rig.Result>>();
            for (int each = 0; each < BOMBS; each++) {
                all.add(() -> rig.run(Language.PYTHON, bomb, limits));
            }
            for (var each : callers.invokeAll(all)) {
                assertThat(each.get(120, TimeUnit.SECONDS).outcome())
                        .isInstanceOf(Outcome.TimedOut.class);
            }
        }
        rig.awaitTidy();
        assertThat(rig.run(Language.PYTHON, "print(1)").stdout()).isEqualTo("1\n");
    }
}

package dev.caisson.sandbox.nest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.caisson.linux.CgroupGroup;
import dev.caisson.linux.PidFd;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Nests where all control groups are of version 2: what a nest makes is born into its group, and
/// moves nowhere. On a host with both versions these groups limit nothing, and everything else is
/// the same.
@Tag("root")
@Tag("slow")
class NestsInVersion2Test extends NestsTestCase {
    private static Optional<Path> tree = Optional.empty();

    @BeforeAll
    static void findTree() throws IOException {
        tree = groupsOfVersion2();
        assumeThat(tree).as("this host has mounted no control groups of version 2").isPresent();
    }

    @Override
    Path controlGroups() {
        return tree.orElseThrow();
    }

    @Test
    void the_processes_of_a_sandbox_are_born_into_its_group() throws Exception {
        var box = make("one", python());
        try {
            var parts = box.parts();
            int nest = user(box.nest().founded().first());
            assertThat(parts.group().homeFor(nest)).isPresent();
            assertIn(parts.group(), parts.processes().first());
            assertIn(parts.group(), parts.processes().program());
            var output = begin(box, "import os; print(os.fork() and os.wait()[1])");
            assertThat(box.awaitEnd(PATIENCE)).isTrue();
            assertThat(output.text(output.stdout)).contains("0\n");
        } finally {
            box.end("one");
        }
    }

    @Test
    void what_is_parked_stands_still_goes_on_and_can_be_killed() throws Exception {
        for (boolean killed : new boolean[] {false, true}) {
            var box = make("one", python());
            try {
                var output = begin(box, "import time; time.sleep(0.3); print('on')");
                assertThat(box.canPark()).isTrue();
                assertThat(box.park()).isTrue();
                assertThat(box.awaitEnd(Duration.ofSeconds(1))).as("it stands").isFalse();
                if (killed) {
                    box.kill();
                    assertThat(box.isDeserted()).isTrue();
                    assertThat(box.park()).as("it is dead").isFalse();
                } else {
                    box.unpark();
                    assertThat(box.awaitEnd(PATIENCE)).isTrue();
                    assertThat(output.text(output.stdout)).isEqualTo("on\n");
                }
            } finally {
                box.end("one");
            }
        }
    }

    private static void assertIn(CgroupGroup group, PidFd process) throws IOException {
        assertThat(Files.readAllLines(Path.of("/proc", "" + process.pid(), "cgroup")))
                .anyMatch(line -> line.startsWith("0::") && line.endsWith("." + group.name()));
    }

    @Test
    void its_programs_may_make_no_process_elsewhere() throws Exception {
        var elsewhere =
                """
                import ctypes
                libc = ctypes.CDLL(None, use_errno=True)
                words = (ctypes.c_uint64 * 11)(1 << 33, 0, 0, 0, 17, 0, 0, 0, 0, 0, 0)
                print(libc.syscall(435, words, ctypes.sizeof(words)), ctypes.get_errno())
                """;
        // ENOSYS: the filter of programs knows no such call.
        assertThat(run("one", elsewhere)).isEqualTo("-1 38\n");
    }

    @Test
    void runs_of_every_kind_end_and_leave_nothing() throws Exception {
        for (int each = 0; each < 3; each++) {
            assertThat(run("one", "print('on')")).isEqualTo("on\n");
        }
        var many = "import os\nfor _ in range(5):\n    if not os.fork(): os.setsid(); os.pause()\n";
        run("two", many.replace("os.pause()", "__import__('time').sleep(600)"));
        Awaitility.await().atMost(PATIENCE).until(() -> nests.resting().slots().size() >= 2);
        nests.forget("one");
        nests.forget("two");
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(remains().groups()).isEmpty());
    }
}

package dev.caisson.sandbox.nest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.linux.Descriptor;
import dev.caisson.linux.PidFd;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Control groups of version 2, beside version 1 or alone: what a nest makes joins them through a
/// descriptor that the server opened, though no user of the nest may.
@Tag("root")
class NestGroupsTest extends NestsTestCase {
    private Path group;

    @BeforeEach
    void makeGroup() throws IOException {
        var beside = Path.of("/sys/fs/cgroup/unified");
        var tree = Files.exists(beside) ? beside : Path.of("/sys/fs/cgroup");
        group = Files.createTempDirectory(tree, "nest-groups-");
    }

    @AfterEach
    void removeGroup() {
        Awaitility.await().atMost(PATIENCE).until(() -> group.toFile().delete());
    }

    @Test
    void a_shell_and_programs_join_a_group_of_version_2() throws Exception {
        var box = make("one", python());
        var founded = box.nest().founded();
        try (var joining = Descriptor.toWrite(group.resolve("cgroup.procs"));
                var job = Descriptor.Pipe.open();
                var sink = Descriptor.toWrite(Path.of("/dev/null"));
                var shell = box.parts().processes().first().duplicate()) {
            var all = List.of(shell, job.reading(), sink, sink, sink, joining);
            var words = List.of("/bin/sleep", "600");
            var exec = NestOrder.exec(true, List.of(), words, new TreeMap<>(Map.of()), all);
            joins(
                    founded.line()
                            .ask(NestOrder.shell(1, 2, false, List.of(), List.of(sink, joining))));
            joins(founded.line().ask(exec));
            joins(founded.zygote().orElseThrow().ask(NestOrder.fork(true, List.of(), all)));
        } finally {
            box.end("one");
        }
    }

    private void joins(PidFd process) throws IOException {
        var name = "/" + group.getFileName();
        try (process) {
            assertThat(Files.readAllLines(Path.of("/proc", "" + process.pid(), "cgroup")))
                    .anyMatch(line -> line.startsWith("0::") && line.endsWith(name));
            process.kill();
        }
    }
}

package dev.caisson.sandbox.nest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.caisson.linux.Descriptor;
import dev.caisson.linux.PidFd;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    private Optional<Path> group = Optional.empty();

    @BeforeEach
    void makeGroup() throws IOException {
        var tree = groupsOfVersion2();
        assumeThat(tree).as("this host has mounted no control groups of version 2").isPresent();
        group = Optional.of(Files.createTempDirectory(tree.get(), "nest-groups-"));
    }

    @AfterEach
    void removeGroup() {
        group.ifPresent(
                made -> Awaitility.await().atMost(PATIENCE).until(() -> made.toFile().delete()));
    }

    @Test
    void a_shell_and_programs_join_a_group_of_version_2() throws Exception {
        var box = make("one", python());
        var founded = box.nest().founded();
        try (var joining = Descriptor.toWrite(group.orElseThrow().resolve("cgroup.procs"));
                var job = Descriptor.Pipe.open();
                var sink = Descriptor.toWrite(Path.of("/dev/null"));
                var shell = box.parts().processes().first().duplicate()) {
            var all = List.of(shell, job.reading(), sink, sink, sink, joining);
            var words = List.of("/bin/sleep", "600");
            var exec = NestOrder.exec(true, false, List.of(), words, new TreeMap<>(Map.of()), all);
            joins(
                    founded.line()
                            .ask(
                                    NestOrder.shell(
                                            1,
                                            2,
                                            false,
                                            false,
                                            List.of(),
                                            List.of(sink, joining))));
            joins(founded.line().ask(exec));
            joins(founded.zygote().orElseThrow().ask(NestOrder.fork(true, false, List.of(), all)));
        } finally {
            box.end("one");
        }
    }

    private void joins(PidFd process) throws IOException {
        var name = "/" + group.orElseThrow().getFileName();
        try (process) {
            assertThat(Files.readAllLines(Path.of("/proc", "" + process.pid(), "cgroup")))
                    .anyMatch(line -> line.startsWith("0::") && line.endsWith(name));
            process.kill();
        }
    }
}

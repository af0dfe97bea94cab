package dev.caisson.acceptance.product;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.acceptance.product.Visitor.Era;
import dev.caisson.acceptance.product.Visitor.Job;
import dev.caisson.acceptance.wire.Connection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A server that is killed leaves no program behind, and the next one tidies up and serves.
@Tag("root")
@Tag("slow")
final class KilledServerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int PROGRAMS = 3;

    @Test
    void programs_die_with_their_server_and_the_next_one_serves(@TempDir Path data)
            throws Exception {
        var killed = Product.start(data);
        var visitor = new Visitor(killed, Era.MODERN);
        visitor.run(Job.of("bash", "echo kept > file").thread("mine"));
        var sleepers = Stream.generate(Sleeper::fresh).limit(PROGRAMS).toList();
        var open = new ArrayList<Connection>();
        for (var sleeper : sleepers) {
            open.add(visitor.send(sleeper.job()));
        }
        await().atMost(PATIENCE).until(() -> sleepers.stream().allMatch(Sleeper::isThere));
        assertThat(leftovers(killed.pid())).as("while it lives").isNotEmpty();

        killed.kill();
        await().atMost(PATIENCE).until(() -> sleepers.stream().noneMatch(Sleeper::isThere));
        for (var connection : open) {
            connection.close();
        }

        try (var next = Product.again(data, killed)) {
            assertThat(leftovers(killed.pid())).isEmpty();
            var said = new Visitor(next, Era.MODERN).run(Job.of("bash", "cat file").thread("mine"));
            assertThat(said.path("stdout").asString()).isEqualTo("kept\n");
        }
    }

    @Test
    void a_server_that_is_told_to_stop_ends_its_runs_and_exits_with_0(@TempDir Path data)
            throws Exception {
        var sleeper = Sleeper.fresh();
        var product = Product.start(data);
        try (var _ = new Visitor(product, Era.LEGACY).send(sleeper.job())) {
            await().atMost(PATIENCE).until(sleeper::isThere);
            assertThat(product.stop()).isZero();
        }
        assertThat(sleeper.isThere()).isFalse();
        assertThat(leftovers(product.pid())).isEmpty();
    }

    /// The directory and the control groups that carry the server's number.
    private static List<Path> leftovers(long pid) {
        var found = new ArrayList<Path>();
        for (var place : List.of(Path.of("/run/caisson/sandboxes"), Path.of("/sys/fs/cgroup"))) {
            if (Files.isDirectory(place)) {
                found.addAll(LiveFiles.find(place, 4, "-name", "*p" + pid + "t*"));
            }
        }
        return found;
    }
}

package dev.caisson.acceptance.product;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.acceptance.judge.Program;
import dev.caisson.acceptance.product.Visitor.Era;
import dev.caisson.acceptance.product.Visitor.Job;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Programs that print as fast as they can fill neither the server's heap nor its time.
@Tag("root")
@Tag("slow")
final class FloodTest {
    private static final int PROGRAMS = 10;
    private static final int SECONDS = 5;
    private static final long GROWTH_MAX_BYTES = 32L << 20;

    /// Prints kilobytes at once: a program can hardly be faster.
    private static final String FLOOD =
            """
            import os
            line = b'x' * 65535 + b'\\n'
            while True:
                os.write(1, line)
            """;

    @Test
    void the_heap_stays_flat_and_another_caller_is_served(@TempDir Path data) throws Exception {
        try (var product = Product.start(data);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var visitor = new Visitor(product, Era.MODERN);
            visitor.run(Job.of("python", "print('warm')"));
            long before = heapBytes(visitor);
            List<Future<JsonNode>> floods = new ArrayList<>();
            for (int i = 0; i < PROGRAMS; i++) {
                floods.add(
                        threads.submit(
                                () -> visitor.run(Job.of("python", FLOOD).seconds(SECONDS))));
            }
            var other = visitor.run(Job.of("bash", "echo served"));
            boolean meanwhile = floods.stream().noneMatch(Future::isDone);
            long during = heapBytes(visitor);
            long bytes = 0;
            for (var flood : floods) {
                var said = flood.get();
                assertThat(said.path("status").asString()).isEqualTo("timeout");
                bytes += said.path("stdout_bytes").asLong();
            }
            long after = heapBytes(visitor);
            System.out.printf(
                    "%d programs printed %d MiB; heap in MiB: %d before, %d during, %d after%n",
                    PROGRAMS, bytes >> 20, before >> 20, during >> 20, after >> 20);
            assertThat(other.path("stdout").asString()).isEqualTo("served\n");
            assertThat(meanwhile).as("served while they printed").isTrue();
            assertThat(bytes).as("bytes printed").isGreaterThan(100L << 20);
            assertThat(during - before).as("growth during").isLessThan(GROWTH_MAX_BYTES);
            assertThat(after - before).as("growth after").isLessThan(GROWTH_MAX_BYTES);
        }
    }

    /// What is alive: garbage is collected first.
    private static long heapBytes(Visitor visitor) throws IOException {
        var jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        Program.run(
                        List.of(jcmd, Long.toString(visitor.product().pid()), "GC.run"),
                        Path.of("."),
                        Map.of(),
                        Duration.ofMinutes(1))
                .expect(0);
        return visitor.page("/metrics")
                .lines()
                .filter(line -> line.startsWith("jvm_memory_used_bytes{area=\"heap\"}"))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.indexOf(' '))))
                .findFirst()
                .orElseThrow();
    }
}

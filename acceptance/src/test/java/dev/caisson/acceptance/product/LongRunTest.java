package dev.caisson.acceptance.product;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.acceptance.product.Visitor.Era;
import dev.caisson.acceptance.product.Visitor.Job;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What clients notice of runs that take a while, and runs of clients that go away.
@Tag("root")
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class LongRunTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /// Far below the minute after which common clients give a silent call up.
    private static final Duration SILENCE_MAX = Duration.ofSeconds(15);

    private Product product;

    @BeforeAll
    void start(@TempDir Path data) throws IOException {
        product = Product.start(data);
    }

    @AfterAll
    void stop() {
        product.close();
    }

    @ParameterizedTest
    @EnumSource
    void a_silent_program_does_not_mean_a_silent_stream(Era era) throws Exception {
        var visitor = new Visitor(product, era);
        try (var connection = visitor.send(Job.of("bash", "sleep 4; echo done"))) {
            connection.patience(SILENCE_MAX);
            var answer = connection.answer();
            assertThat(answer.isEvents()).isTrue();
            int bytes = answer.body().readNBytes(2).length;
            assertThat(bytes).as("a sign of life").isEqualTo(2);
            assertThat(Visitor.result(answer).path("stdout").asString()).isEqualTo("done\n");
        }
    }

    @Test
    void a_modern_client_that_goes_away_takes_its_program_along() throws Exception {
        var sleeper = Sleeper.fresh();
        try (var connection = new Visitor(product, Era.MODERN).send(sleeper.job())) {
            assertThat(connection.answer().isEvents()).isTrue();
            await().atMost(PATIENCE).until(sleeper::isThere);
        }
        await().atMost(PATIENCE).until(() -> !sleeper.isThere());
    }

    @Test
    void a_legacy_client_that_goes_away_leaves_its_program_running() throws Exception {
        var visitor = new Visitor(product, Era.LEGACY);
        var waits = "echo begun; while [ ! -e go ] && [ $SECONDS -lt 4 ]; do sleep 0.1; done";
        var job = Job.of("bash", waits + "; echo finished > end").seconds(60).thread("left");
        try (var connection = visitor.send(job)) {
            assertThat(connection.answer().isEvents()).isTrue();
        }
        var later = Job.of("bash", "cat end").thread("left");
        later.more().put("wait_seconds", 20);
        assertThat(visitor.run(later).path("stdout").asString()).isEqualTo("finished\n");
    }
}

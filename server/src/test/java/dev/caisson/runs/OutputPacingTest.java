package dev.caisson.runs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.sandbox.Sink;
import dev.caisson.share.TestWorkers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutputPacingTest {
    private static final int PIECE = 32 << 10;

    private final List<Thread> takers = new ArrayList<>();
    private final Sink output =
            new OutputPacing(
                    (_, _, _, _) -> takers.add(Thread.currentThread()), TestWorkers.COMPUTING);

    private void write(long bytes) {
        for (long left = bytes; left > 0; left -= PIECE) {
            output.write(Sink.Stream.STDOUT, new byte[PIECE], 0, PIECE);
        }
    }

    @Test
    void what_most_programs_write_is_taken_at_once() {
        write(OutputPacing.AT_ONCE_BYTES);
        assertThat(takers).isNotEmpty().containsOnly(Thread.currentThread());
    }

    @Test
    void the_rest_of_a_flood_is_taken_on_threads_that_compute() {
        write(OutputPacing.AT_ONCE_BYTES);
        takers.clear();
        write(10 * PIECE);
        assertThat(takers).hasSize(10).doesNotContain(Thread.currentThread());
    }
}

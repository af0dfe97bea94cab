package dev.caisson.sandbox.bubblewrap;

import dev.caisson.linux.PipeEnd;
import dev.caisson.sandbox.OutputReader;
import dev.caisson.sandbox.Sink;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/// Output pump of a run: carries its streams to the sink, a buffer at a time: what the sink has not
/// taken stays with the program, which then waits. In which order is said by [OutputReader].
final class OutputPump {
    private final CompletableFuture<Boolean> ended = new CompletableFuture<>();
    private volatile Optional<RuntimeException> failure = Optional.empty();

    static OutputPump start(PipeEnd stdout, PipeEnd stderr, Sink to, Executor threads) {
        var pump = new OutputPump();
        threads.execute(() -> pump.run(new OutputReader(stdout, stderr), to));
        return pump;
    }

    private void run(OutputReader reader, Sink to) {
        try (reader) {
            while (!reader.hasEnded()) {
                reader.await();
                reader.read((stream, bytes, offset, length) ->
                        guarded(() -> to.write(stream, bytes, offset, length)));
            }
        } finally {
            ended.complete(true);
        }
    }

    /// The program must not wait for a sink that takes nothing any more.
    private void guarded(Runnable write) {
        if (failure.isPresent()) {
            return;
        }
        try {
            write.run();
        } catch (RuntimeException refused) {
            failure = Optional.of(refused);
        }
    }

    /// What the sink threw; asked for after the end.
    Optional<RuntimeException> failure() {
        return failure;
    }

    /// Completes when both streams have ended.
    CompletableFuture<Boolean> ended() {
        return ended;
    }

    /// Whether both streams have ended, after a bounded wait.
    boolean awaitEnd(Duration atMost) {
        return ended.copy()
                .completeOnTimeout(false, atMost.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }
}

package dev.caisson.sandbox;

import dev.caisson.linux.PipeEnd;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/// Carries one of a program's streams to the sink, a buffer at a time: what the sink has not taken
/// stays with the program, which then waits.
final class Pump {
    private final CompletableFuture<Boolean> ended = new CompletableFuture<>();
    private volatile Optional<RuntimeException> failure = Optional.empty();

    static Pump start(PipeEnd from, Sink.Stream stream, Sink to, Executor threads) {
        var pump = new Pump();
        threads.execute(() -> pump.run(from, stream, to));
        return pump;
    }

    private void run(PipeEnd from, Sink.Stream stream, Sink to) {
        try (from) {
            var buffer = new byte[PipeEnd.READ_BYTES_MAX];
            for (int count = next(from, buffer); count >= 0; count = next(from, buffer)) {
                if (count > 0 && failure.isEmpty()) {
                    write(to, stream, buffer, count);
                }
            }
        } finally {
            ended.complete(true);
        }
    }

    private static int next(PipeEnd from, byte[] buffer) {
        from.await();
        return from.read(buffer);
    }

    /// The program must not wait for a sink that takes nothing any more.
    private void write(Sink to, Sink.Stream stream, byte[] bytes, int count) {
        try {
            to.write(stream, bytes, 0, count);
        } catch (RuntimeException refused) {
            failure = Optional.of(refused);
        }
    }

    /// What the sink threw; asked for after the end.
    Optional<RuntimeException> failure() {
        return failure;
    }

    /// Completes when the stream has ended.
    CompletableFuture<Boolean> ended() {
        return ended;
    }

    /// Whether the stream has ended, after a bounded wait.
    boolean awaitEnd(Duration atMost) {
        return ended.copy()
                .completeOnTimeout(false, atMost.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }
}

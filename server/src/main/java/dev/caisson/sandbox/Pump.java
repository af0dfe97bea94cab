package dev.caisson.sandbox;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/// Carries one of a program's streams to the sink, a buffer at a time: what the sink has not taken
/// stays with the program, which then waits.
final class Pump {
    private static final int BUFFER_BYTES = 32 << 10;

    private final CompletableFuture<Boolean> ended = new CompletableFuture<>();
    private volatile Optional<RuntimeException> failure = Optional.empty();

    static Pump start(InputStream from, Sink.Stream stream, Sink to, Executor threads) {
        var pump = new Pump();
        threads.execute(() -> pump.run(from, stream, to));
        return pump;
    }

    private void run(InputStream from, Sink.Stream stream, Sink to) {
        try (from) {
            carry(from, stream, to);
        } catch (IOException closed) {
            // The other end is gone, which is how a stream ends.
        } finally {
            ended.complete(true);
        }
    }

    private void carry(InputStream from, Sink.Stream stream, Sink to) throws IOException {
        var buffer = new byte[BUFFER_BYTES];
        try {
            for (int count = from.read(buffer); count >= 0; count = from.read(buffer)) {
                to.write(stream, buffer, 0, count);
            }
        } catch (RuntimeException refused) {
            // The program must not wait for a sink that takes nothing any more.
            failure = Optional.of(refused);
            from.transferTo(OutputStream.nullOutputStream());
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

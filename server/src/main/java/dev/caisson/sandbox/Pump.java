package dev.caisson.sandbox;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/// Carries one of a program's streams to the sink, a buffer at a time: what the sink has not taken
/// stays with the program, which then waits.
final class Pump {
    private static final int BUFFER_BYTES = 32 << 10;

    private final CompletableFuture<Boolean> ended = new CompletableFuture<>();

    static Pump start(InputStream from, Sink.Stream stream, Sink to, Executor threads) {
        var pump = new Pump();
        threads.execute(() -> pump.run(from, stream, to));
        return pump;
    }

    private void run(InputStream from, Sink.Stream stream, Sink to) {
        try (from) {
            carry(from, stream, to);
            ended.complete(true);
        } catch (IOException closed) {
            ended.complete(true);
        } catch (RuntimeException failed) {
            ended.completeExceptionally(failed);
        }
    }

    private static void carry(InputStream from, Sink.Stream stream, Sink to) throws IOException {
        var buffer = new byte[BUFFER_BYTES];
        for (int count = from.read(buffer); count >= 0; count = from.read(buffer)) {
            to.write(stream, buffer, 0, count);
        }
    }

    /// Whether everything was carried, after a bounded wait.
    ///
    /// @throws java.util.concurrent.CompletionException when the sink failed
    boolean awaitEnd(Duration atMost) {
        return ended.copy()
                .completeOnTimeout(false, atMost.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }
}

package dev.caisson.sandbox;

import dev.caisson.linux.PipeEnd;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/// Carries one of a session's streams to the call that is being answered. What is written between
/// two calls belongs to the next: its beginning is kept and the rest is counted, however much
/// comes, and a program that writes without end is read slowly then.
final class Spout {
    /// What is kept between two calls.
    static final int HELD_BYTES_MAX = 64 << 10;

    private static final Duration PAUSE = Duration.ofMillis(10);

    /// What nobody wants: the call it belongs to does not take it any more.
    private static final Sink NOBODY = (_, _, _, _) -> {};

    private final PipeEnd pipe;
    private final Sink.Stream stream;
    private final CompletableFuture<Boolean> ended = new CompletableFuture<>();

    /// Fair, so that a flood keeps nobody waiting.
    private final ReentrantLock lock = new ReentrantLock(true);

    private final byte[] buffer = new byte[PipeEnd.READ_BYTES_MAX];
    private final ByteArrayOutputStream held = new ByteArrayOutputStream();
    private long missed;
    private Optional<Sink> sink = Optional.empty();
    private Optional<RuntimeException> failure = Optional.empty();

    private Spout(PipeEnd pipe, Sink.Stream stream) {
        this.pipe = pipe;
        this.stream = stream;
    }

    static Spout start(PipeEnd pipe, Sink.Stream stream, Executor threads) {
        var spout = new Spout(pipe, stream);
        threads.execute(spout::run);
        return spout;
    }

    private void run() {
        try {
            do {
                pipe.await();
            } while (passOn());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            lock.lock();
            try {
                pipe.close();
            } finally {
                lock.unlock();
                ended.complete(true);
            }
        }
    }

    private boolean passOn() throws InterruptedException {
        lock.lock();
        try {
            if (readOnce() < 0) {
                return false;
            }
            if (sink.isPresent()) {
                return true;
            }
        } finally {
            lock.unlock();
        }
        Thread.sleep(PAUSE);
        return true;
    }

    private int readOnce() {
        int count = pipe.read(buffer);
        if (count > 0) {
            if (sink.isPresent()) {
                write(sink.get(), buffer, count);
            } else {
                hold(count);
            }
        }
        return count;
    }

    private void hold(int count) {
        int room = Math.min(count, HELD_BYTES_MAX - held.size());
        held.write(buffer, 0, room);
        missed += count - room;
    }

    /// The program must not wait for a sink that takes nothing any more.
    private void write(Sink to, byte[] bytes, int count) {
        try {
            to.write(stream, bytes, 0, count);
        } catch (RuntimeException refused) {
            failure = Optional.of(refused);
            sink = Optional.of(NOBODY);
        }
    }

    /// A call begins: it gets what came since the last one, and what comes now.
    void turnTo(Sink to) {
        lock.lock();
        try {
            failure = Optional.empty();
            sink = Optional.of(to);
            var early = held.toByteArray();
            held.reset();
            if (early.length > 0) {
                write(to, early, early.length);
            }
            if (missed > 0) {
                var note =
                        "\n[... %d bytes written between calls are left out ...]\n"
                                .formatted(missed);
                var bytes = note.getBytes(StandardCharsets.UTF_8);
                missed = 0;
                write(sink.get(), bytes, bytes.length);
            }
        } finally {
            lock.unlock();
        }
    }

    /// A call has ended: everything that was written until now is in the pipe, which holds no more
    /// than a bounded amount.
    void turnAway() {
        lock.lock();
        try {
            int read = 0;
            for (int count = readOnce();
                    count > 0 && read < PipeEnd.PIPE_BYTES_MAX;
                    count = readOnce()) {
                read += count;
            }
            sink = Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /// How much of what came since the last call is not kept.
    long missed() {
        lock.lock();
        try {
            return missed;
        } finally {
            lock.unlock();
        }
    }

    /// What the sink of the last call threw.
    Optional<RuntimeException> failure() {
        lock.lock();
        try {
            return failure;
        } finally {
            lock.unlock();
        }
    }

    /// Whether the stream has ended, after a bounded wait.
    boolean awaitEnd(Duration atMost) {
        return ended.copy()
                .completeOnTimeout(false, atMost.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }
}

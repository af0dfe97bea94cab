package dev.caisson.sandbox.session;

import dev.caisson.linux.PipeEnd;
import dev.caisson.sandbox.OutputReader;
import dev.caisson.sandbox.Sink;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/// Output pump of a session: carries its streams to the call that is being answered, in the order
/// that [OutputReader] says. What is written between two calls belongs to the next: the beginning
/// of each stream is kept and the rest is counted, however much comes, and a program that writes
/// without end is read slowly then.
final class SessionPump {
    /// What is kept of a stream between two calls.
    static final int HELD_BYTES_MAX = 64 << 10;

    private static final Duration PAUSE = Duration.ofMillis(10);

    /// What nobody wants: the call it belongs to does not take it any more.
    private static final Sink NOBODY = (_, _, _, _) -> {};

    private final OutputReader reader;
    private final CompletableFuture<Boolean> ended = new CompletableFuture<>();

    /// Fair, so that a flood keeps nobody waiting.
    private final ReentrantLock lock = new ReentrantLock(true);

    private final Map<Sink.Stream, Held> held = new EnumMap<>(Sink.Stream.class);
    private Optional<Sink> sink = Optional.empty();
    private Optional<RuntimeException> failure = Optional.empty();

    private static final class Held {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private long missed;

        void add(byte[] more, int offset, int length) {
            int room = Math.min(length, HELD_BYTES_MAX - bytes.size());
            bytes.write(more, offset, room);
            missed += length - room;
        }
    }

    private SessionPump(OutputReader reader) {
        this.reader = reader;
        for (var stream : Sink.Stream.values()) {
            held.put(stream, new Held());
        }
    }

    static SessionPump start(PipeEnd stdout, PipeEnd stderr, Executor threads) {
        var pump = new SessionPump(new OutputReader(stdout, stderr));
        threads.execute(pump::run);
        return pump;
    }

    private void run() {
        try {
            do {
                reader.await();
            } while (passOn());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            lock.lock();
            try {
                reader.close();
            } finally {
                lock.unlock();
                ended.complete(true);
            }
        }
    }

    private boolean passOn() throws InterruptedException {
        lock.lock();
        try {
            reader.read(this::take);
            if (reader.hasEnded()) {
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

    private void take(Sink.Stream stream, byte[] bytes, int offset, int length) {
        if (sink.isPresent()) {
            write(stream, bytes, offset, length);
        } else {
            held(stream).add(bytes, offset, length);
        }
    }

    private Held held(Sink.Stream stream) {
        return Objects.requireNonNull(held.get(stream));
    }

    /// The program must not wait for a sink that takes nothing any more.
    private void write(Sink.Stream stream, byte[] bytes, int offset, int length) {
        try {
            sink.orElse(NOBODY).write(stream, bytes, offset, length);
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
            for (var stream : Sink.Stream.values()) {
                passOnHeld(stream, held(stream));
            }
        } finally {
            lock.unlock();
        }
    }

    private void passOnHeld(Sink.Stream stream, Held early) {
        if (early.bytes.size() > 0) {
            write(stream, early.bytes.toByteArray(), 0, early.bytes.size());
        }
        early.bytes.reset();
        if (early.missed > 0) {
            var note =
                    "\n[... %d bytes written between calls are left out ...]\n"
                            .formatted(early.missed);
            var bytes = note.getBytes(StandardCharsets.UTF_8);
            early.missed = 0;
            write(stream, bytes, 0, bytes.length);
        }
    }

    /// A call has ended: everything that was written until now is in the pipes, which hold no more
    /// than a bounded amount.
    void turnAway() {
        lock.lock();
        try {
            int read = 0;
            for (int count = reader.read(this::take);
                    count > 0 && read < PipeEnd.PIPE_BYTES_MAX;
                    count = reader.read(this::take)) {
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
            return held.values().stream().mapToLong(each -> each.missed).sum();
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

    /// Whether both streams have ended, after a bounded wait.
    boolean awaitEnd(Duration atMost) {
        return ended.copy()
                .completeOnTimeout(false, atMost.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }
}

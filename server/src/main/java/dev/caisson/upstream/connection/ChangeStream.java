package dev.caisson.upstream.connection;

import dev.caisson.egress.EgressFailure;
import dev.caisson.egress.OutgoingAnswer;
import dev.caisson.rpc.EventReader;
import dev.caisson.rpc.IncomingMessage;
import dev.caisson.rpc.ProtocolError;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

/// Reader of the stream on which a server says what changes. It comes back when the stream ends,
/// later each time it was short; a server that has no such stream is left alone.
final class ChangeStream implements AutoCloseable {
    /// How much is read of one stream before it is opened anew.
    static final long BYTES_MAX = 16L << 20;

    private static final int EVENT_BYTES_MAX = 1 << 20;
    private static final Duration WAIT_MIN = Duration.ofSeconds(1);
    private static final Duration WAIT_MAX = Duration.ofSeconds(60);
    private static final Duration LONG_ENOUGH = Duration.ofSeconds(30);

    private final Opener opener;
    private final Consumer<IncomingMessage> heard;
    private final Thread reader;
    private Optional<String> lastId = Optional.empty();

    /// Opens the stream.
    @FunctionalInterface
    interface Opener {
        OutgoingAnswer open(Optional<String> lastId) throws EgressFailure, InterruptedException;
    }

    ChangeStream(Opener opener, Consumer<IncomingMessage> heard) {
        this.opener = opener;
        this.heard = heard;
        this.reader = Thread.ofVirtual().name("changes").start(this::read);
    }

    private void read() {
        var wait = WAIT_MIN;
        try {
            while (!Thread.currentThread().isInterrupted()) {
                long since = System.nanoTime();
                var asked = Optional.<Duration>empty();
                try (var answer = opener.open(lastId)) {
                    if (answer.status() != 200 || !answer.mediaType().equals("text/event-stream")) {
                        return;
                    }
                    asked = pass(answer);
                } catch (IOException | ProtocolError ended) {
                    // It is opened again.
                }
                boolean lasted = System.nanoTime() - since > LONG_ENOUGH.toNanos();
                wait = lasted ? WAIT_MIN : shorter(wait.multipliedBy(2), WAIT_MAX);
                Thread.sleep(asked.orElse(jittered(wait)));
            }
        } catch (InterruptedException closed) {
            // That is what it is interrupted for.
        }
    }

    /// @return how long the server wants us to wait
    private Optional<Duration> pass(OutgoingAnswer answer) throws IOException {
        var events = new EventReader(answer.body(), EVENT_BYTES_MAX);
        for (var next = events.next(); next.isPresent(); next = events.next()) {
            if (next.get().data().length > 0) {
                heard.accept(IncomingMessage.answer(next.get().data()));
            }
            lastId = events.lastId().or(() -> lastId);
        }
        return events.retry().map(each -> each.compareTo(WAIT_MIN) < 0 ? WAIT_MIN : each);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private static Duration jittered(Duration wait) {
        return wait.plusMillis(ThreadLocalRandom.current().nextLong(wait.toMillis() / 2));
    }

    @Override
    public void close() {
        reader.interrupt();
    }
}

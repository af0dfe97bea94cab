package dev.caisson.rest.runs;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.http.Exchange;
import java.time.Duration;

/// Watch for disconnected clients: ends work whose client has left, by interrupting the thread that
/// does it.
public final class DisconnectWatch {
    /// How often to check that the client is there.
    static final Duration GLANCE = Duration.ofMillis(600);

    private final Thread worker = Thread.currentThread();
    private boolean over;
    private boolean left;

    private DisconnectWatch() {}

    /// What is done for a client.
    @FunctionalInterface
    public interface Work<T, X extends Exception> {
        T run() throws X, InterruptedException;
    }

    /// @param <X> what the work may throw
    /// @throws Refusal LEFT when the client has left
    public static <T, X extends Exception> T whileHere(Exchange exchange, Work<T, X> work)
            throws X, InterruptedException {
        var presence = new DisconnectWatch();
        var watch = Thread.ofVirtual().name("presence").start(() -> presence.watch(exchange));
        try {
            return work.run();
        } catch (InterruptedException ended) {
            if (presence.hasLeft()) {
                throw refusal();
            }
            throw ended;
        } finally {
            presence.end();
            watch.interrupt();
        }
    }

    /// For work that looks for itself whether its client is there.
    ///
    /// @throws Refusal LEFT when the client has left
    static void require(Exchange exchange) {
        if (exchange.clientHasLeft()) {
            throw refusal();
        }
    }

    private static Refusal refusal() {
        return new Refusal(Reason.LEFT, "The client left before the answer was ready.");
    }

    private void watch(Exchange exchange) {
        try {
            do {
                Thread.sleep(GLANCE);
            } while (!exchange.clientHasLeft());
            leave();
        } catch (InterruptedException _) {
            return;
        }
    }

    private synchronized void leave() {
        if (!over) {
            left = true;
            worker.interrupt();
        }
    }

    private synchronized boolean hasLeft() {
        return left;
    }

    /// An interrupt that came too late is taken back.
    private synchronized void end() {
        over = true;
        if (left) {
            Thread.interrupted();
        }
    }
}

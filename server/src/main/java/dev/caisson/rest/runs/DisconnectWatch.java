package dev.caisson.rest.runs;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.http.Exchange;
import dev.caisson.share.Glances;
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
        try (var _ = Glances.every(GLANCE, () -> presence.look(exchange))) {
            var done = work.run();
            if (presence.hasLeft()) {
                throw refusal();
            }
            return done;
        } catch (InterruptedException ended) {
            if (presence.hasLeft()) {
                throw refusal();
            }
            throw ended;
        } finally {
            presence.end();
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

    private void look(Exchange exchange) {
        if (exchange.clientHasLeft()) {
            leave();
        }
    }

    private synchronized void leave() {
        if (!over && !left) {
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

package dev.caisson.http;

import dev.caisson.share.GrowingShare;
import dev.caisson.share.HeldShare;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/// The parts of the server's shares that one request holds: a turn while its key is being checked,
/// a place while it is handled, and memory for its body and its answer. They are taken in the name
/// of the client's address until the request is admitted, and of its caller afterwards.
final class ExchangeShares {
    /// How often a waiting answer checks whether its client is still there.
    private static final Duration LOOK = Duration.ofMillis(500);

    private final OpenExchanges traffic;
    private volatile String holder;
    private volatile HeldShare admission = () -> {};
    private volatile HeldShare place = () -> {};
    private boolean placed;
    private boolean placeKept;
    private final AtomicInteger bodyUses = new AtomicInteger(1);
    private volatile GrowingShare bodyMemory;
    private volatile boolean clientLeft;

    /// @param address of the client
    ExchangeShares(OpenExchanges traffic, String address) {
        this.traffic = traffic;
        holder = ShareHolder.at(address);
        bodyMemory = traffic.body(holder);
    }

    /// Waits for a turn to have the key checked, for the check may ask the store.
    void awaitAdmission() throws InterruptedException {
        admission = traffic.takeAdmission(holder);
    }

    /// The key was checked, or the request is answered without.
    void endAdmission() {
        admission.close();
    }

    /// From now on everything is taken in this name.
    void admitted(String name) {
        endAdmission();
        holder = name;
        bodyMemory = traffic.body(name);
    }

    void takePlace() {
        endAdmission();
        place.close();
        place = traffic.takeRequest(holder);
        placed = true;
    }

    HeldShare keepPlace() {
        placeKept = true;
        return place;
    }

    /// Gives the place back while a body is read into memory: a client that sends slowly then holds
    /// memory of its own share, and none of the requests under way.
    <T> T withoutPlace(Supplier<T> reading) {
        place.close();
        var read = reading.get();
        if (placed) {
            place = traffic.takeRequest(holder);
        }
        return read;
    }

    void growBody(long length) {
        bodyMemory.resize(traffic.bodyBytes(length));
    }

    HeldShare keepBody() {
        bodyUses.incrementAndGet();
        var open = new AtomicBoolean(true);
        return () -> {
            if (open.compareAndSet(true, false)) {
                endBodyUse();
            }
        };
    }

    private void endBodyUse() {
        if (bodyUses.decrementAndGet() == 0) {
            bodyMemory.close();
        }
    }

    HeldShare takeStream() {
        return traffic.takeStream(holder);
    }

    /// Memory for an answer, none so far.
    GrowingShare answer() {
        return traffic.answer(holder);
    }

    /// Waits until there is memory for a complete answer. The work is done by now, so a refusal
    /// would make the client do it again.
    ///
    /// @return false when it did not come in time, or the client left
    boolean awaitAnswer(GrowingShare memory, long length) throws InterruptedException {
        long wanted = traffic.answerBytes(length);
        long end = System.nanoTime() + traffic.limits().idleTime().toNanos();
        while (!memory.awaitResize(wanted, LOOK)) {
            if (clientLeft || System.nanoTime() - end >= 0) {
                return false;
            }
        }
        return true;
    }

    /// A client that has left keeps no place from others, even if its work goes on. Memory stays
    /// counted as long as it is in use.
    void clientLeft() {
        clientLeft = true;
        place.close();
    }

    /// The handler has ended. An open stream goes on.
    void handled() {
        endAdmission();
        if (!placeKept) {
            place.close();
        }
        endBodyUse();
    }
}

package dev.caisson.upstream.connection;

import dev.caisson.call.Deadline;
import dev.caisson.call.ToolErrorType;
import dev.caisson.share.FairQueue;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Turns of callers at one upstream: so many calls at once. A caller who is alone may have all of
/// them; as soon as others wait, each turn that becomes free goes to whoever has fewest, so that
/// nobody waits for more than one call of another to end. More than a bounded number do not wait;
/// when the queue is full, the last one of whoever waits with most gives way.
final class CallTurns {
    static final int WAITING_MAX = 256;

    private final String server;
    private final FairQueue<Turn> queue = new FairQueue<>();
    private final Map<String, Integer> held = new HashMap<>();
    private int free;

    CallTurns(String server, int concurrency) {
        this.server = server;
        this.free = concurrency;
    }

    /// A turn, over when it is closed.
    interface Held extends AutoCloseable {
        @Override
        void close();
    }

    private record Turn(CompletableFuture<Boolean> came) {}

    /// @throws UpstreamFailure when too many wait, or the turn did not come in time
    Held take(String caller, Deadline deadline) throws UpstreamFailure, InterruptedException {
        var turn = ask(caller);
        boolean taken = false;
        try {
            taken = turn.came().get(deadline.left().toNanos(), TimeUnit.NANOSECONDS);
            if (!taken) {
                throw full();
            }
            return () -> giveBack(caller);
        } catch (TimeoutException late) {
            throw new UpstreamFailure(
                    ToolErrorType.TIMEOUT,
                    false,
                    "The upstream %s was busy with other calls until the time was over."
                            .formatted(server));
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        } finally {
            if (!taken) {
                leave(caller, turn);
            }
        }
    }

    private synchronized Turn ask(String caller) throws UpstreamFailure {
        var turn = new Turn(new CompletableFuture<>());
        if (free > 0) {
            give(caller, turn);
            return turn;
        }
        if (queue.size() >= WAITING_MAX) {
            var last = queue.takeLastOfLongest(caller);
            if (last.isEmpty()) {
                throw full();
            }
            last.get().item().came().complete(false);
        }
        queue.add(caller, turn);
        return turn;
    }

    private UpstreamFailure full() {
        return new UpstreamFailure(
                ToolErrorType.NO_CAPACITY,
                false,
                "Too many calls wait for the upstream %s. Try again later.".formatted(server));
    }

    /// Its turn may have come at the last moment.
    private synchronized void leave(String caller, Turn turn) {
        if (!queue.remove(caller, turn) && turn.came().getNow(false)) {
            giveBack(caller);
        }
    }

    private int held(String caller) {
        return held.getOrDefault(caller, 0);
    }

    private void give(String caller, Turn turn) {
        free--;
        held.merge(caller, 1, Integer::sum);
        turn.came().complete(true);
    }

    /// While a turn is free, nobody waits.
    private synchronized void giveBack(String caller) {
        free++;
        held.compute(caller, (_, count) -> count == null || count <= 1 ? null : count - 1);
        queue.takeNextOfLeast(this::held).ifPresent(next -> give(next.caller(), next.item()));
    }

    synchronized int waiting() {
        return queue.size();
    }
}

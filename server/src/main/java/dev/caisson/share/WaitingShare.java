package dev.caisson.share;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// A [Share] that is waited for. Callers take turns, so that nobody waits for all that another one
/// asked for before; and none can have everything, so there is always a turn to take. A large wish
/// of a caller that holds nothing is not passed over: what comes free is kept for it.
///
/// More than a bounded number do not wait: they are told how long it would take. When the queue is
/// full, that is the last one of whoever waits with most, not whoever comes next.
public final class WaitingShare {
    private final Share share;
    private final int waitingMax;
    private final Duration waitMax;
    private final FairQueue<Turn> queue = new FairQueue<>();
    private final FairQueue<Turn> returning = new FairQueue<>();
    private boolean closed;

    /// A running mean of how long something is held, for the estimate.
    private long heldMillis = 1_000;

    /// What one waits for: it comes, or is refused, once.
    ///
    /// @param kept what a caller who comes back held on to
    private record Turn(long amount, long kept, CompletableFuture<HeldShare> came) {}

    public WaitingShare(Share share, int waitingMax, Duration waitMax) {
        this.share = share;
        this.waitingMax = waitingMax;
        this.waitMax = waitMax;
    }

    /// @throws Refusal when too many wait already, or the turn did not come in time
    public HeldShare take(String caller, long amount) throws InterruptedException {
        var turn = ask(caller, amount);
        try {
            return turn.came().get(waitMax.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            return cameLast(caller, turn).orElseThrow(() -> refusal(caller, amount));
        } catch (InterruptedException cancelled) {
            cameLast(caller, turn).ifPresent(HeldShare::close);
            throw cancelled;
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof Refusal refusal) {
                throw refusal;
            }
            throw new IllegalStateException(failed);
        }
    }

    /// As [#take] for what was given back for a while only: before all who come for the first time,
    /// and waited for however long it takes. What else the caller has taken meanwhile stands in its
    /// own way alone.
    ///
    /// @param kept what it held on to
    /// @throws Refusal when nobody gets anything any more
    public HeldShare takeBack(String caller, long amount, long kept) throws InterruptedException {
        var turn = askBack(caller, amount, kept);
        try {
            return turn.came().get();
        } catch (InterruptedException cancelled) {
            cameLast(caller, turn).ifPresent(HeldShare::close);
            throw cancelled;
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof Refusal refusal) {
                throw refusal;
            }
            throw new IllegalStateException(failed);
        }
    }

    private synchronized Turn askBack(String caller, long amount, long kept) {
        if (closed) {
            throw stopping();
        }
        var turn = new Turn(amount, kept, new CompletableFuture<>());
        returning.add(caller, turn);
        serve();
        return turn;
    }

    /// Whether what is free is kept for somebody who comes back.
    private boolean isOwed() {
        return returning.anyFirst((caller, turn) ->
                turn.amount() > share.free() && share.isOwed(caller, turn.amount(), turn.kept()));
    }

    /// Whether [#take] would not have to wait.
    public synchronized boolean hasNow(String caller, long amount) {
        return !closed && !isBehind(caller) && share.mayTake(caller, amount);
    }

    /// Gives back a part of what a caller has taken.
    synchronized void giveBack(String caller, long amount) {
        share.change(caller, -amount);
        serve();
        notifyAll();
    }

    private boolean isBehind(String caller) {
        return isOwed() || queue.size(caller) > 0 || queue.anyFirst(this::isNext);
    }

    private synchronized Turn ask(String caller, long amount) {
        var turn = new Turn(amount, 0, new CompletableFuture<>());
        if (closed) {
            throw stopping();
        }
        var now = isBehind(caller) ? Optional.<HeldShare>empty() : takeNow(caller, amount);
        if (now.isPresent()) {
            turn.came().complete(now.get());
            return turn;
        }
        if (queue.size() >= waitingMax && !makeRoomFor(caller)) {
            throw refusal(caller, amount);
        }
        queue.add(caller, turn);
        return turn;
    }

    private Optional<HeldShare> takeNow(String caller, long amount) {
        return share.tryTake(caller, amount).map(this::timed);
    }

    private HeldShare returned(String caller, long amount) {
        return timed(share.takeReturned(caller, amount));
    }

    private HeldShare timed(HeldShare taken) {
        long since = System.nanoTime();
        return () -> {
            taken.close();
            given(Duration.ofNanos(System.nanoTime() - since));
        };
    }

    private boolean makeRoomFor(String caller) {
        var last = queue.takeLastOfLongest(caller);
        last.ifPresent(next ->
                next.item()
                        .came()
                        .completeExceptionally(refusal(next.caller(), next.item().amount())));
        return last.isPresent();
    }

    private synchronized void given(Duration after) {
        heldMillis = (heldMillis * 7 + after.toMillis()) / 8;
        serve();
        notifyAll();
    }

    private void serve() {
        while (!closed) {
            var back =
                    returning.takeNext(
                            (caller, turn) -> share.mayReturn(caller, turn.amount(), turn.kept()));
            if (back.isPresent()) {
                var turn = back.get().item();
                turn.came().complete(returned(back.get().caller(), turn.amount()));
                continue;
            }
            Optional<FairQueue.Next<Turn>> next = Optional.empty();
            if (!isOwed()) {
                next =
                        queue.takeNext(
                                (caller, turn) -> share.mayTake(caller, turn.amount()),
                                this::isNext);
            }
            if (next.isEmpty()) {
                return;
            }
            var turn = next.get().item();
            turn.came().complete(takeNow(next.get().caller(), turn.amount()).orElseThrow());
        }
    }

    private boolean isNext(String caller, Turn turn) {
        return share.isNext(caller, turn.amount());
    }

    /// Its turn may have come at the last moment. If not, others need not wait for it any more.
    private synchronized Optional<HeldShare> cameLast(String caller, Turn turn) {
        if (queue.remove(caller, turn) || returning.remove(caller, turn)) {
            serve();
            return Optional.empty();
        }
        return turn.came().isCompletedExceptionally()
                ? Optional.empty()
                : Optional.of(turn.came().join());
    }

    /// Nobody gets anything afterwards, and those who wait are refused.
    public synchronized void close() {
        closed = true;
        queue.clear().forEach(turn -> turn.came().completeExceptionally(stopping()));
        returning.clear().forEach(turn -> turn.came().completeExceptionally(stopping()));
    }

    /// Nobody gets anything afterwards; waits until nobody holds anything.
    ///
    /// @return false when the time was over first
    public synchronized boolean awaitIdle(Duration atMost) throws InterruptedException {
        close();
        long end = System.nanoTime() + atMost.toNanos();
        while (share.free() < share.total()) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (left <= 0) {
                return false;
            }
            wait(left);
        }
        return true;
    }

    private static Refusal stopping() {
        return new Refusal(Reason.NO_CAPACITY, "The server is stopping. Try again later.");
    }

    private Refusal refusal(String caller, long amount) {
        return share.refusal(caller, amount, expectedWait().toSeconds() + 1);
    }

    /// How long someone who came now would wait, by how long others held what they had lately.
    public synchronized Duration expectedWait() {
        return Duration.ofMillis(heldMillis * (queue.size() + 1) / share.total());
    }

    public synchronized int waiting() {
        return queue.size() + returning.size();
    }

    public long free() {
        return share.free();
    }

    public long inUse() {
        return share.total() - share.free();
    }
}

package dev.caisson.share;

import java.time.Duration;

/// Growing part of a [Share] that one caller holds, when the amount changes as it goes, such as a
/// body that grows or an answer that waits for its reader. It begins with nothing.
public final class GrowingShare implements HeldShare {
    private final Share share;
    private final String caller;
    private long amount;
    private boolean closed;

    public GrowingShare(Share share, String caller) {
        this.share = share;
        this.caller = caller;
    }

    /// @return false when there is not that much for this caller; then nothing has changed
    public synchronized boolean tryResize(long wanted) {
        if (closed || !share.change(caller, wanted - amount)) {
            return false;
        }
        amount = wanted;
        return true;
    }

    /// @throws dev.caisson.call.Refusal `NO_CAPACITY` when there is not that much for this caller
    public void resize(long wanted) {
        if (!tryResize(wanted)) {
            throw share.refusal(caller, wanted);
        }
    }

    /// Waits until there is that much for this caller.
    ///
    /// @return false when the time was over first; then nothing has changed
    public synchronized boolean awaitResize(long wanted, Duration atMost)
            throws InterruptedException {
        if (closed || !share.awaitChange(caller, wanted - amount, atMost)) {
            return false;
        }
        amount = wanted;
        return true;
    }

    public synchronized long amount() {
        return amount;
    }

    @Override
    public synchronized void close() {
        share.change(caller, -amount);
        amount = 0;
        closed = true;
    }
}

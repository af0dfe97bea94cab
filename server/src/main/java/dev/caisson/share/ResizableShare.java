package dev.caisson.share;

/// Part of a [WaitingShare] that shrinks and grows while one caller holds it, such as the memory of
/// a sandbox that rests. To grow is to wait in turn, as for anything else of the share.
///
/// Resized by one thread at a time.
public final class ResizableShare implements HeldShare {
    private final WaitingShare share;
    private final String caller;
    private long amount;
    private boolean closed;

    private ResizableShare(WaitingShare share, String caller, long amount) {
        this.share = share;
        this.caller = caller;
        this.amount = amount;
    }

    /// @throws dev.caisson.call.Refusal when too many wait already, or the turn did not come in
    ///   time
    public static ResizableShare take(WaitingShare share, String caller, long amount)
            throws InterruptedException {
        var held = new ResizableShare(share, caller, 0);
        held.grow(amount);
        return held;
    }

    public synchronized long amount() {
        return amount;
    }

    /// Gives back what is above.
    public synchronized void shrink(long to) {
        if (!closed && to < amount) {
            share.giveBack(caller, amount - to);
            amount = to;
        }
    }

    /// Waits until there is that much for this caller.
    ///
    /// @throws dev.caisson.call.Refusal when too many wait already, or the turn did not come in
    ///   time
    public void grow(long to) throws InterruptedException {
        long more = to - amount();
        if (more > 0) {
            var taken = share.take(caller, more);
            if (!added(more)) {
                taken.close();
            }
        }
    }

    /// As [#grow] for what was given back for a while only, see [WaitingShare#takeBack].
    public void growBack(long to) throws InterruptedException {
        long kept = amount();
        long more = to - kept;
        if (more > 0) {
            var taken = share.takeBack(caller, more, kept);
            if (!added(more)) {
                taken.close();
            }
        }
    }

    private synchronized boolean added(long more) {
        amount += closed ? 0 : more;
        return !closed;
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            share.giveBack(caller, amount);
            amount = 0;
        }
    }
}

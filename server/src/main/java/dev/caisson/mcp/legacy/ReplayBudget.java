package dev.caisson.mcp.legacy;

import java.util.concurrent.atomic.AtomicLong;

/// Budget of bytes that all streams together keep for readers that may come back.
public final class ReplayBudget {
    private final long most;
    private final AtomicLong held = new AtomicLong();
    private volatile Runnable relief = () -> {};

    public ReplayBudget(long most) {
        this.most = most;
    }

    /// @param newRelief gives bytes back until [#scarce] is false; called on the thread that took
    ///   too many, without any lock of a stream or a session
    void onScarce(Runnable newRelief) {
        relief = newRelief;
    }

    /// @param bytes fewer than none give some back
    void take(long bytes) {
        held.addAndGet(bytes);
    }

    /// To be called after [#take], outside of every lock.
    void relieve() {
        if (scarce()) {
            relief.run();
        }
    }

    boolean scarce() {
        return held.get() > most;
    }

    public long held() {
        return held.get();
    }
}

package dev.caisson.mcp;

import java.util.concurrent.atomic.AtomicLong;

/// How many bytes all streams together keep for readers that may come back.
final class Replay {
    private final long most;
    private final AtomicLong held = new AtomicLong();
    private volatile Runnable relief = () -> {};

    Replay(long most) {
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

    long held() {
        return held.get();
    }
}

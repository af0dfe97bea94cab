package dev.caisson.mcp;

import org.jspecify.annotations.Nullable;

/// Stops one request by interrupting the thread that works on it, and never anybody else: once the
/// work is over, cancelling does nothing.
final class Cancellation {
    private @Nullable Thread worker;
    private boolean cancelled;

    /// The calling thread works on the request from here.
    synchronized void enter() {
        worker = Thread.currentThread();
        if (cancelled) {
            worker.interrupt();
        }
    }

    /// It no longer does. An interrupt that came too late is taken back.
    synchronized void leave() {
        worker = null;
        if (cancelled) {
            Thread.interrupted();
        }
    }

    synchronized void cancel() {
        cancelled = true;
        if (worker != null) {
            worker.interrupt();
        }
    }

    synchronized boolean cancelled() {
        return cancelled;
    }
}

package dev.caisson.mcp.server;

import org.jspecify.annotations.Nullable;

/// Stops one request by interrupting the thread that works on it, and never anybody else: once the
/// work is over, cancelling does nothing.
public final class Cancellation {
    private @Nullable Thread worker;
    private boolean cancelled;
    private boolean left;

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

    public synchronized void cancel() {
        cancelled = true;
        if (worker != null) {
            worker.interrupt();
        }
    }

    /// Nobody waits for the answer any more, but nobody asked for the end of the work: what can go
    /// on without its request does, and the rest is stopped.
    public synchronized void leaveRequest() {
        left = true;
        cancel();
    }

    /// @param timedOut whether the client asks because its own time is over
    public void cancel(boolean timedOut) {
        if (timedOut) {
            leaveRequest();
        } else {
            cancel();
        }
    }

    synchronized boolean isLeft() {
        return left;
    }

    synchronized boolean cancelled() {
        return cancelled;
    }
}

package dev.caisson.mcp.server;

/// Lets progress through that goes up, and not more often than a client can use.
public final class ProgressLimiter {
    /// So many at once, however fast they come.
    public static final int BURST = 20;

    /// And after that so many in a second.
    static final int PER_SECOND = 10;

    private static final double NANOS_PER_SECOND = 1e9;

    private double last = Double.NEGATIVE_INFINITY;
    private double allowance = BURST;
    private long counted = System.nanoTime();

    public synchronized boolean admits(double done) {
        if (!Double.isFinite(done) || done <= last) {
            return false;
        }
        long now = System.nanoTime();
        allowance = Math.min(BURST, allowance + (now - counted) / NANOS_PER_SECOND * PER_SECOND);
        counted = now;
        if (allowance < 1) {
            return false;
        }
        allowance--;
        last = done;
        return true;
    }
}

package dev.caisson.http;

import java.net.SocketAddress;

/// Disconnect detection for one request: whether its client has left. The kernel's table may be
/// read at a moment when it is incomplete, so a client has left when its connection is missing
/// twice in a row, half a second or more apart.
final class Disconnect {
    private final Disconnects departures;
    private final SocketAddress local;
    private final SocketAddress remote;
    private boolean missed;
    private long missedAt;
    private boolean certain;

    Disconnect(Disconnects departures, SocketAddress local, SocketAddress remote) {
        this.departures = departures;
        this.local = local;
        this.remote = remote;
    }

    /// Looks again.
    synchronized boolean isCertain() {
        if (certain) {
            return true;
        }
        if (!departures.hasLeft(local, remote)) {
            missed = false;
            return false;
        }
        long now = System.nanoTime();
        if (!missed) {
            missed = true;
            missedAt = now;
        }
        certain = now - missedAt >= Disconnects.FRESH.toNanos();
        return certain;
    }
}

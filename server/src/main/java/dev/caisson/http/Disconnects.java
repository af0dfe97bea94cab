package dev.caisson.http;

import dev.caisson.linux.TcpTable;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Set;

/// Detector of clients that have left. Nothing is read from a connection while its request is being
/// answered, so the kernel is asked; at most twice a second, however many want to know.
final class Disconnects {
    /// How old the kernel's table may be before it is read again.
    static final Duration FRESH = Duration.ofMillis(500);

    private TcpTable table = new TcpTable(Set.of(), Set.of());
    private long readAt = System.nanoTime() - FRESH.toNanos();

    /// When in doubt, false: a table without our own port tells nothing about its connections.
    boolean hasLeft(SocketAddress local, SocketAddress remote) {
        if (!(local instanceof InetSocketAddress here)
                || !(remote instanceof InetSocketAddress there)) {
            return false;
        }
        var now = now();
        return now.listening().contains(here.getPort())
                && !now.open().contains(new TcpTable.Connection(here, there));
    }

    private synchronized TcpTable now() {
        var now = System.nanoTime();
        if (now - readAt >= FRESH.toNanos()) {
            table = TcpTable.read();
            readAt = now;
        }
        return table;
    }
}

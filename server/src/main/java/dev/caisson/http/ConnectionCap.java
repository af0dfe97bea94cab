package dev.caisson.http;

import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.io.Connection;

/// Bounds how many connections there are at once. One too many is closed before it is read, which
/// costs less than keeping it waiting and tells the client at once.
final class ConnectionCap implements Connection.Listener {
    private final int max;
    private final AtomicInteger open = new AtomicInteger();

    ConnectionCap(int max) {
        this.max = max;
    }

    @Override
    public void onOpened(Connection connection) {
        if (open.incrementAndGet() > max) {
            connection.getEndPoint().close();
        }
    }

    @Override
    public void onClosed(Connection connection) {
        open.decrementAndGet();
    }
}

package dev.caisson.http;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.eclipse.jetty.util.thread.Scheduler;

/// Guard against slow request heads: closes connections whose request has begun and whose head does
/// not get finished in time. The idle time does not find them: a client that sends a byte now and
/// then is never idle.
///
/// It looks at all connections from time to time, so that requests themselves pay nothing.
final class SlowRequestHeads extends AbstractLifeCycle {
    private final ServerConnector connector;
    private final long requestNanos;
    private final long everyMillis;
    private volatile Scheduler.Task next = () -> false;

    SlowRequestHeads(ServerConnector connector, HttpLimits limits) {
        this.connector = connector;
        requestNanos = limits.requests().time().toNanos();
        everyMillis = Math.clamp(limits.requests().time().toMillis() / 4, 10, 1000);
    }

    @Override
    protected void doStart() {
        schedule();
    }

    @Override
    protected void doStop() {
        next.cancel();
    }

    private void schedule() {
        next = connector.getScheduler().schedule(this::look, everyMillis, TimeUnit.MILLISECONDS);
    }

    private void look() {
        for (var endPoint : connector.getConnectedEndPoints()) {
            if (isSlow(endPoint.getConnection())) {
                endPoint.close(new TimeoutException("the request's head came too slowly"));
            }
        }
        if (isRunning()) {
            schedule();
        }
    }

    private boolean isSlow(Connection connection) {
        return switch (connection) {
            case SslConnection tls -> isSlow(tls.getSslEndPoint().getConnection());
            case HttpConnection http -> isSlow(http);
            case null, default -> false;
        };
    }

    private boolean isSlow(HttpConnection http) {
        var parser = http.getParser();
        return !parser.isStart()
                && parser.inHeaderState()
                && System.nanoTime() - parser.getBeginNanoTime() > requestNanos;
    }
}

package dev.caisson.egress;

import dev.caisson.call.NetworkRules;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// HTTP proxy of one run: forwards requests for plain `http` addresses and opens connections with
/// `CONNECT`, to what the rules of its key allow and to nothing else.
///
/// A name is resolved here, once for each connection; every address is judged, and one that was
/// judged is connected to. Within a connection the first bytes decide: TLS must name the host that
/// the connection was opened to, a request in plain HTTP is judged as a forwarded one, and anything
/// else is refused. What each host was asked is counted.
public final class Proxy implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Proxy.class);

    private final NetworkRules rules;
    private final Proxies.Shared shared;
    private final String caller;
    private final NetworkTally tally;
    private final Semaphore free;
    private final AtomicLong left;
    private final Set<AutoCloseable> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    Proxy(NetworkRules rules, Proxies.Shared shared, String caller) {
        this.rules = rules;
        this.shared = shared;
        this.caller = caller;
        this.tally = new NetworkTally(shared.clock());
        this.free = new Semaphore(shared.limits().connections());
        this.left = new AtomicLong(shared.limits().bytes());
    }

    NetworkRules rules() {
        return rules;
    }

    ProxyLimits limits() {
        return shared.limits();
    }

    JudgedLookup lookup() {
        return shared.lookup();
    }

    NetworkTally tally() {
        return tally;
    }

    /// Takes bytes of what may pass.
    ///
    /// @return false when they may not
    boolean take(long bytes) {
        return left.addAndGet(-bytes) >= 0;
    }

    boolean isUsedUp() {
        return left.get() < 0;
    }

    /// What it closes when it is closed.
    void opened(AutoCloseable connection) throws IOException {
        open.add(connection);
        if (closed) {
            throw new IOException("the run is over");
        }
    }

    /// Serves one connection of the program until its end.
    public void serve(SocketChannel inside) throws IOException, InterruptedException {
        var connection = new ProxyConnection(this, inside.socket());
        if (!free.tryAcquire()) {
            connection.refuse(
                    limited(
                            "the run has %d connections to the network, which is all it may have"
                                    .formatted(limits().connections())));
            return;
        }
        try (var share = shared.connections().tryTake(caller, 1).orElse(null)) {
            opened(inside);
            if (share == null) {
                connection.refuse(
                        limited(
                                "the runs of this key have all connections to the network that they may have"));
            } else {
                connection.serve();
            }
        } finally {
            open.remove(inside);
            free.release();
        }
    }

    private static ProxyRefusal limited(String sentence) {
        return new ProxyRefusal(503, NetworkVerdict.LIMITED, sentence);
    }

    void gone(AutoCloseable connection) {
        open.remove(connection);
    }

    /// What was asked until now.
    public List<HostUse> uses() {
        return tally.uses();
    }

    /// Ends every connection.
    @Override
    public void close() {
        closed = true;
        for (var each : open) {
            try {
                each.close();
            } catch (Exception gone) {
                LOG.debug("a connection could not be closed", gone);
            }
        }
    }
}

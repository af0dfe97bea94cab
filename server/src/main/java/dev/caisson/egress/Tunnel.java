package dev.caisson.egress;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// HTTP proxy for the program of one sandbox, which has no other network: it opens connections to
/// the hosts and ports of an allow list and to nothing else. It listens inside the network of the
/// sandbox, takes `CONNECT`, and requests for plain `http` addresses, and passes bytes on until a
/// limit is reached. What goes through is not looked at: with `https` only the registry sees it.
///
/// Closing it closes every connection.
public final class Tunnel implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Tunnel.class);

    private static final Duration CONNECT_MAX = Duration.ofSeconds(10);
    private static final int BUFFER_BYTES = 64 << 10;
    private static final int DRAIN_MILLIS = 1_000;

    /// How many refused hosts are remembered.
    private static final int REFUSED_MAX = 100;

    /// @param bytes that may pass in both directions together
    /// @param connections at once; further ones wait
    /// @param idle how long a connection may be silent
    public record Limits(long bytes, int connections, Duration idle) {}

    private final ServerSocketChannel listener;
    private final AllowedHosts hosts;
    private final Limits limits;
    private final Consumer<String> onRefused;
    private final Semaphore free;
    private final AtomicLong left;
    private final AtomicInteger opened = new AtomicInteger();
    private final Set<String> refused = ConcurrentHashMap.newKeySet();
    private final Set<AutoCloseable> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    private Tunnel(
            ServerSocketChannel listener,
            AllowedHosts hosts,
            Limits limits,
            Consumer<String> onRefused) {
        this.listener = listener;
        this.hosts = hosts;
        this.limits = limits;
        this.onRefused = onRefused;
        this.free = new Semaphore(limits.connections());
        this.left = new AtomicLong(limits.bytes());
    }

    /// @param listener inside the sandbox; closed with the tunnel
    public static Tunnel start(ServerSocketChannel listener, AllowedHosts hosts, Limits limits) {
        return start(listener, hosts, limits, _ -> {});
    }

    /// @param onRefused is told why, once for each host that is asked for and not reached
    public static Tunnel start(
            ServerSocketChannel listener,
            AllowedHosts hosts,
            Limits limits,
            Consumer<String> onRefused) {
        var tunnel = new Tunnel(listener, hosts, limits, onRefused);
        Thread.ofVirtual().name("tunnel").start(tunnel::accept);
        return tunnel;
    }

    /// How many connections were opened.
    public int opened() {
        return opened.get();
    }

    /// Hosts that were asked for and not reached, so many as are remembered.
    public Set<String> refused() {
        return new TreeSet<>(refused);
    }

    /// Whether more was to go through than may.
    public boolean isUsedUp() {
        return left.get() < 0;
    }

    private void accept() {
        try {
            while (!closed) {
                free.acquire();
                var inside = listener.accept();
                Thread.ofVirtual().name("tunnelled").start(() -> serve(inside));
            }
        } catch (IOException | InterruptedException ended) {
            LOG.debug("the tunnel accepts no more");
        }
    }

    private void serve(SocketChannel inside) {
        open.add(inside);
        try (inside) {
            if (!closed) {
                answer(inside);
            }
        } catch (IOException broken) {
            LOG.debug("a tunnelled connection broke off: {}", broken.getMessage());
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        } finally {
            open.remove(inside);
            free.release();
        }
    }

    private void answer(SocketChannel inside) throws IOException, InterruptedException {
        var socket = inside.socket();
        socket.setSoTimeout(Math.toIntExact(limits.idle().toMillis()));
        var in = socket.getInputStream();
        var out = socket.getOutputStream();
        ProxyRequest request;
        try {
            request = ProxyRequest.read(in);
        } catch (ProxyRequest.Malformed malformed) {
            refuse(socket, 400, String.valueOf(malformed.getMessage()));
            return;
        }
        try (var outside = connect(request)) {
            open.add(outside);
            if (request.first().isEmpty()) {
                say(out, "HTTP/1.1 200 Connection established\r\n\r\n");
            } else {
                say(outside.getOutputStream(), request.first());
            }
            var relay = new Relay(socket, outside, limits.idle(), this::take);
            if (request.first().isEmpty()) {
                relay.both(in);
            } else {
                relay.request(in);
            }
            open.remove(outside);
        } catch (AllowedHosts.Refused not) {
            var why = String.valueOf(not.getMessage());
            if (refused.size() < REFUSED_MAX && refused.add(request.host())) {
                onRefused.accept(why);
            }
            refuse(socket, not.status(), why);
        }
    }

    private boolean take(long bytes) {
        return left.addAndGet(-bytes) >= 0;
    }

    private Socket connect(ProxyRequest request) throws AllowedHosts.Refused, InterruptedException {
        for (InetAddress address : hosts.addresses(request.host(), request.port())) {
            var socket = new Socket();
            try {
                socket.connect(
                        new InetSocketAddress(address, request.port()),
                        Math.toIntExact(CONNECT_MAX.toMillis()));
                socket.setSoTimeout(Math.toIntExact(limits.idle().toMillis()));
                opened.incrementAndGet();
                return socket;
            } catch (IOException unreachable) {
                close(socket);
            }
        }
        throw new AllowedHosts.Refused(502, "the host " + request.host() + " does not answer");
    }

    /// What was sent already is read, or the answer would be lost with it.
    private static void refuse(Socket socket, int status, String why) throws IOException {
        var body = why + "\n";
        say(
                socket.getOutputStream(),
                "HTTP/1.1 %d Refused\r\nContent-Type: text/plain\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s"
                        .formatted(status, body.length(), body));
        socket.shutdownOutput();
        socket.setSoTimeout(DRAIN_MILLIS);
        socket.getInputStream().readNBytes(BUFFER_BYTES);
    }

    private static void say(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
    }

    private static void close(AutoCloseable connection) {
        try {
            connection.close();
        } catch (Exception gone) {
            LOG.debug("a tunnelled connection could not be closed", gone);
        }
    }

    @Override
    public void close() {
        closed = true;
        close(listener);
        open.forEach(Tunnel::close);
    }
}

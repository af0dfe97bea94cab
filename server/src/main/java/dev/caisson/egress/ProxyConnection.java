package dev.caisson.egress;

import dev.caisson.call.NetworkRule;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Connection of a program to its proxy: one request, or one `CONNECT` and what goes through it.
final class ProxyConnection {
    private static final String CONNECT = "CONNECT";
    private static final String ESTABLISHED = "HTTP/1.1 200 Connection established\r\n\r\n";
    private static final Duration DRAIN = Duration.ofSeconds(1);
    private static final int DRAIN_BYTES = 64 << 10;

    private final Proxy proxy;
    private final Socket inside;
    private final Instant made;
    private Optional<Authority> asked = Optional.empty();
    private boolean counted;

    ProxyConnection(Proxy proxy, Socket inside) {
        this.proxy = proxy;
        this.inside = inside;
        this.made = proxy.tally().now();
    }

    void serve() throws IOException, InterruptedException {
        var in = new SocketReader(inside, proxy.limits().begin());
        try {
            var head = HttpHead.read(in);
            if (head.isEmpty()) {
                return;
            }
            if (head.get().method().equals(CONNECT)) {
                connect(head.get(), in);
            } else {
                var request = PlainRequest.forward(head.get());
                asked = Optional.of(request.to());
                forward(request, in);
            }
        } catch (ProxyRefusal refusal) {
            refuse(refusal);
        } catch (SocketTimeoutException late) {
            refuse(
                    new ProxyRefusal(
                            408, NetworkVerdict.MALFORMED, "the request did not come in time"));
        }
    }

    private void connect(HttpHead head, SocketReader in) throws IOException, InterruptedException {
        var to = Authority.of(head.target(), 0);
        asked = Optional.of(to);
        if (!(HttpBody.of(head) instanceof HttpBody.None)) {
            throw ProxyRefusal.malformed("CONNECT has no body");
        }
        var rules = rules(to);
        // Which rule lets it out is known when its first bytes are here.
        boolean mayBePrivate = rules.stream().allMatch(NetworkRule::mayBePrivate);
        try (var outside = open(to, mayBePrivate)) {
            say(inside, ESTABLISHED);
            in.within(proxy.limits().begin());
            through(to, rules, in, outside);
        }
    }

    /// The first bytes decide what it is.
    private void through(Authority to, List<NetworkRule> rules, SocketReader in, Opened outside)
            throws IOException, InterruptedException {
        var pushed = new FirstByte(in);
        try {
            if (pushed.value() == ClientHello.HANDSHAKE) {
                tls(to, rules, pushed, in, outside);
            } else if (pushed.value() >= 'A' && pushed.value() <= 'Z') {
                var head = HttpHead.read(pushed);
                if (head.isPresent()) {
                    answer(PlainRequest.within(head.get(), to), rules, in, outside.socket());
                }
            } else if (pushed.value() >= 0) {
                throw ProxyRefusal.denied("only TLS and HTTP go through a connection");
            }
        } catch (ProxyRefusal refusal) {
            if (pushed.value() == ClientHello.HANDSHAKE) {
                note(refusal.verdict(), 0, 0);
                inside.getOutputStream().write(ClientHello.ALERT);
                leave();
            } else {
                throw refusal;
            }
        } catch (SocketTimeoutException late) {
            note(NetworkVerdict.MALFORMED, 0, 0);
        }
    }

    private void tls(
            Authority to,
            List<NetworkRule> rules,
            InputStream first,
            SocketReader in,
            Opened outside)
            throws IOException, InterruptedException {
        var hello = ClientHello.read(first);
        var named = hello.host().map(NetworkRule::plain).orElse("");
        if (!named.equals(to.isAddress() ? "" : to.host())) {
            throw new ProxyRefusal(
                    403, NetworkVerdict.MISMATCHED, "TLS is for another host than the connection");
        }
        if (rules.stream().allMatch(NetworkRule::readsRequests)) {
            throw ProxyRefusal.denied("the rules for the host judge requests, which TLS hides");
        }
        var relay = relay(outside.socket());
        try {
            relay.send(hello.bytes(), hello.bytes().length);
            relay.both(in);
        } finally {
            note(relay);
        }
    }

    private void forward(PlainRequest request, SocketReader in)
            throws IOException, InterruptedException {
        var rules = rules(request.to());
        var rule = request.judged(rules);
        try (var outside = open(request.to(), rule.mayBePrivate())) {
            answer(request, rules, in, outside.socket());
        }
    }

    /// One request and its answer.
    private void answer(
            PlainRequest request, List<NetworkRule> rules, SocketReader in, Socket outside)
            throws IOException, InterruptedException {
        var head = request.sent(request.judged(rules)).getBytes(StandardCharsets.ISO_8859_1);
        var relay = relay(outside);
        Thread back = Thread.ofVirtual().name("answer").unstarted(relay::answer);
        try {
            relay.send(head, head.length);
            back.start();
            request.body()
                    .copy(
                            in,
                            (bytes, count) -> {
                                relay.send(bytes, count);
                                in.within(proxy.limits().idle());
                            });
            back.join();
        } catch (IOException broken) {
            relay.close();
            throw relay.isUsedUp() || broken instanceof ProxyRefusal
                    ? new IOException("the request broke off", broken)
                    : broken;
        } finally {
            back.join();
            note(relay);
        }
    }

    private Relay relay(Socket outside) {
        return new Relay(inside, outside, proxy.limits().idle(), proxy::take);
    }

    private void note(Relay relay) {
        note(
                relay.isUsedUp() ? NetworkVerdict.LIMITED : NetworkVerdict.ALLOWED,
                relay.sent(),
                relay.received());
    }

    private void note(NetworkVerdict verdict, long sent, long received) {
        if (!counted) {
            counted = true;
            proxy.tally()
                    .add(
                            asked.map(Authority::host).orElse(HostUse.NOBODY),
                            asked.map(Authority::port).orElse(0),
                            verdict,
                            made,
                            sent,
                            received);
        }
    }

    private List<NetworkRule> rules(Authority to) throws ProxyRefusal {
        if (proxy.isUsedUp()) {
            throw new ProxyRefusal(
                    403,
                    NetworkVerdict.LIMITED,
                    "the run has had all bytes that its network allows");
        }
        var rules = proxy.rules().of(to.host(), to.port());
        if (rules.isEmpty()) {
            throw ProxyRefusal.denied(
                    "%sthe host %s is not in the network of this key"
                            .formatted(
                                    proxy.rules().know(to.host())
                                            ? "port " + to.port() + " of "
                                            : "",
                                    to.host()));
        }
        return rules;
    }

    /// Connection to a host.
    private record Opened(Proxy proxy, Socket socket) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            proxy.gone(socket);
            socket.close();
        }
    }

    private Opened open(Authority to, boolean mayBePrivate)
            throws IOException, InterruptedException {
        var addresses = proxy.lookup().addresses(to.host(), mayBePrivate);
        if (addresses.isEmpty()) {
            throw new ProxyRefusal(
                    502,
                    NetworkVerdict.NO_ADDRESS,
                    "the host " + to.host() + " has no address that may be reached");
        }
        long end = System.nanoTime() + proxy.limits().connect().toNanos();
        for (var address : addresses) {
            long left = Duration.ofNanos(end - System.nanoTime()).toMillis();
            if (left <= 0) {
                break;
            }
            var socket = new Socket();
            var opened = new Opened(proxy, socket);
            try {
                proxy.opened(socket);
                socket.connect(new InetSocketAddress(address, to.port()), Math.toIntExact(left));
                socket.setSoTimeout(Math.toIntExact(proxy.limits().idle().toMillis()));
                return opened;
            } catch (IOException unreachable) {
                opened.close();
            }
        }
        throw new ProxyRefusal(
                502, NetworkVerdict.UNREACHABLE, "the host " + to.host() + " does not answer");
    }

    /// Answers with why not.
    void refuse(ProxyRefusal why) throws IOException {
        note(why.verdict(), 0, 0);
        var body = why.sentence() + "\n";
        say(
                inside,
                "HTTP/1.1 %d Refused\r\nContent-Type: text/plain\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s"
                        .formatted(why.status(), body.length(), body));
        leave();
    }

    /// What was sent already is read, or the answer would be lost with it.
    private void leave() throws IOException {
        inside.shutdownOutput();
        try {
            new SocketReader(inside, DRAIN).readNBytes(DRAIN_BYTES);
        } catch (SocketTimeoutException enough) {
            // It has had the time to read the answer.
        }
    }

    private static void say(Socket to, String text) throws IOException {
        to.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }
}

package dev.caisson.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.caisson.RecordCopy;
import dev.caisson.call.Caller;
import dev.caisson.telemetry.Faults;
import dev.caisson.telemetry.Metrics;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;

/// A real listener with a few handlers, and raw sockets to speak to it.
final class Site implements AutoCloseable {
    static final int SOCKET_TIMEOUT_MILLIS = 30_000;

    final Metrics metrics = new Metrics();
    final Listener listener;

    /// Streams opened at `/stream`, in order.
    final LinkedBlockingQueue<OutStream> streams = new LinkedBlockingQueue<>();

    /// Lets requests at `/wait` go on.
    final CountDownLatch gate = new CountDownLatch(1);

    /// Counts requests that have reached `/wait`.
    final LinkedBlockingQueue<String> waiting = new LinkedBlockingQueue<>();

    Site(HttpSettings settings) throws Exception {
        this(settings, Routes.builder());
    }

    Site(HttpSettings settings, Routes.Builder more) throws Exception {
        var routes =
                new Operations(metrics, List.of())
                        .addTo(more)
                        .door("/echo", exchange -> admitted(exchange, e -> reply(e, e.body())))
                        .exact("/unread", exchange -> reply(exchange, "unread".getBytes(UTF_8)))
                        .prefix(
                                "/path/",
                                exchange -> reply(exchange, exchange.path().getBytes(UTF_8)))
                        .door("/stream", exchange -> admitted(exchange, this::stream))
                        .door("/link", this::byLink)
                        .door("/wait", exchange -> admitted(exchange, this::waitForGate))
                        .build();
        listener = new Listener(settings, routes, metrics, new Faults(metrics));
        listener.start();
    }

    static Site with(HttpLimits limits) throws Exception {
        return new Site(RecordCopy.with(HttpSettings.loopback(0), "limits", limits));
    }

    /// Whoever the header `Key` names, if there is one.
    static void admitted(Exchange exchange, Handler handler) throws Exception {
        exchange.header("Key")
                .ifPresentOrElse(
                        key -> exchange.admitted(new Caller(key, key, Set.of(), Set.of())),
                        () -> exchange.admitted(Caller.LOCAL));
        handler.handle(exchange);
    }

    private void byLink(Exchange exchange) {
        exchange.admittedByLink(exchange.query("maker").orElseThrow());
        stream(exchange);
    }

    private void stream(Exchange exchange) {
        streams.add(exchange.stream(200, Map.of("Content-Type", "text/event-stream")));
    }

    void waitForGate(Exchange exchange) throws InterruptedException {
        waiting.add(exchange.clientAddress());
        gate.await();
        reply(exchange, "waited".getBytes(UTF_8));
    }

    static void reply(Exchange exchange, byte[] body) {
        exchange.reply(200, Map.of("Content-Type", "text/plain"), body);
    }

    Socket connect() throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), listener.port());
        socket.setSoTimeout(SOCKET_TIMEOUT_MILLIS);
        return socket;
    }

    /// Sends the head with a `Host` and `Connection: close` added, then the body, and reads to the
    /// end.
    Reply send(String requestLine, String headers, String body) throws IOException {
        return raw(
                requestLine
                        + " HTTP/1.1\r\nHost: localhost:"
                        + listener.port()
                        + "\r\nConnection: close\r\n"
                        + headers
                        + "\r\n"
                        + body);
    }

    Reply get(String path) throws IOException {
        return send("GET " + path, "", "");
    }

    /// A whole head, with a `Host`, for connections that are kept.
    static String head(String requestLine, String... headers) {
        return requestLine
                + " HTTP/1.1\r\nHost: localhost\r\n"
                + String.join("", Stream.of(headers).map(header -> header + "\r\n").toList())
                + "\r\n";
    }

    /// Sends these bytes and reads until the server closes.
    Reply raw(String bytes) throws IOException {
        try (var socket = connect()) {
            write(socket, bytes);
            return Reply.read(socket);
        }
    }

    static void write(Socket socket, String bytes) throws IOException {
        socket.getOutputStream().write(bytes.getBytes(ISO_8859_1));
        socket.getOutputStream().flush();
    }

    /// Reads from a connection that stays open until the text has come.
    static String readUntil(Socket socket, String end) throws IOException {
        var text = new StringBuilder();
        while (!endsWith(text, end)) {
            int next = socket.getInputStream().read();
            if (next < 0) {
                throw new IOException("closed after: " + text);
            }
            text.append((char) next);
        }
        return text.toString();
    }

    private static boolean endsWith(StringBuilder text, String end) {
        int from = text.length() - end.length();
        return from >= 0 && text.indexOf(end, from) == from;
    }

    @Override
    public void close() {
        gate.countDown();
        listener.close();
    }
}

package dev.caisson.upstream.connection;

import dev.caisson.egress.RawHttpServer;
import dev.caisson.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import tools.jackson.databind.node.ObjectNode;

/// A [FakeUpstream] behind HTTP+SSE: one stream for all answers, and an address for messages.
final class FakeSse implements AutoCloseable {
    private static final byte[] END = new byte[0];

    private final FakeUpstream upstream;
    private final RawHttpServer server;
    private final BlockingQueue<byte[]> events = new LinkedBlockingQueue<>();

    FakeSse(FakeUpstream upstream) throws IOException {
        this.upstream = upstream;
        this.server = new RawHttpServer(this::answer);
    }

    URI address() {
        return server.address("/sse");
    }

    private void answer(RawHttpServer.Request request, OutputStream out)
            throws IOException, InterruptedException {
        if (request.method().equals("GET")) {
            stream(out);
        } else if (request.path().startsWith("/messages")) {
            var message = (ObjectNode) Json.parse(request.body());
            Thread.ofVirtual().name("fake-sse").start(() -> take(message));
            out.write(RawHttpServer.answer(202, "text/plain", "Accepted"));
        } else {
            out.write(RawHttpServer.answer(404, "text/plain", "Cannot POST"));
        }
    }

    private void take(ObjectNode message) {
        try {
            upstream.take(message, events::add);
        } catch (IOException | InterruptedException gone) {
            events.add(END);
        }
    }

    private void stream(OutputStream out) throws IOException, InterruptedException {
        out.write(
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nevent: endpoint\ndata: /messages\n\n"
                        .getBytes(StandardCharsets.US_ASCII));
        out.flush();
        for (var event = events.take(); event.length > 0; event = events.take()) {
            out.write("data: ".getBytes(StandardCharsets.US_ASCII));
            out.write(event);
            out.write("\n\n".getBytes(StandardCharsets.US_ASCII));
            out.flush();
        }
        throw new IOException("the stream ends");
    }

    @Override
    public void close() throws IOException {
        events.add(END);
        server.close();
    }
}

package dev.caisson.upstream.connection;

import dev.caisson.egress.RawHttpServer;
import dev.caisson.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// A [FakeUpstream] behind Streamable HTTP with a session, answering by JSON or by events.
final class FakeHttp implements AutoCloseable {
    static final String SESSION = "session-1";

    private final FakeUpstream upstream;
    private final boolean events;
    private final RawHttpServer server;

    FakeHttp(FakeUpstream upstream, boolean events) throws IOException {
        this.upstream = upstream;
        this.events = events;
        this.server = new RawHttpServer(this::answer);
    }

    URI address() {
        return server.address("/mcp");
    }

    List<RawHttpServer.Request> requests() {
        return server.requests();
    }

    int connections() {
        return server.connections();
    }

    private void answer(RawHttpServer.Request request, OutputStream out)
            throws IOException, InterruptedException {
        if (!request.method().equals("POST")) {
            out.write(RawHttpServer.answer(405, "text/plain", ""));
            return;
        }
        var message = (ObjectNode) Json.parse(request.body());
        var method = message.path("method").stringValue("");
        if (method.equals("server/discover") && !upstream.isModern()) {
            upstream.take(message, _ -> {});
            var wrong = FakeUpstream.error(message, -32000, "Bad Request: no session");
            out.write(RawHttpServer.answer(400, "application/json", Json.bytes(wrong)));
        } else if (!message.has("id") || !message.has("method")) {
            upstream.take(message, _ -> {});
            out.write(RawHttpServer.answer(202, "text/plain", ""));
        } else if (events && !method.equals("initialize")) {
            stream(message, out);
        } else {
            var body = new ByteArrayOutputStream();
            upstream.take(message, body::writeBytes);
            out.write(
                    RawHttpServer.answer(
                            200,
                            "application/json",
                            body.toByteArray(),
                            "Mcp-Session-Id: " + SESSION,
                            "Set-Cookie: a=b"));
        }
    }

    private void stream(ObjectNode message, OutputStream out)
            throws IOException, InterruptedException {
        out.write(
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
                        .getBytes(StandardCharsets.US_ASCII));
        upstream.take(
                message,
                bytes -> {
                    chunk(out, "event: message\ndata: ".getBytes(StandardCharsets.US_ASCII));
                    chunk(out, bytes);
                    chunk(out, "\n\n".getBytes(StandardCharsets.US_ASCII));
                });
        out.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    private static void chunk(OutputStream out, byte[] bytes) throws IOException {
        out.write("%x\r\n".formatted(bytes.length).getBytes(StandardCharsets.US_ASCII));
        out.write(bytes);
        out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}

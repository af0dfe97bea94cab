package dev.caisson.mcp;

import dev.caisson.call.Caller;
import dev.caisson.call.Door;
import dev.caisson.call.StreamEnd;
import dev.caisson.http.Exchange;
import dev.caisson.http.OutStream;
import dev.caisson.identity.Gate;
import dev.caisson.json.Json;
import dev.caisson.share.Held;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/// HTTP+SSE of 2024-11-05: one stream for all answers, whose first event says where to post. When
/// the stream is gone so is the session, and a post to it is refused: no answer is dropped unseen.
final class SseDoor {
    private record Connection(String owner, Channel channel, OutStream out) {}

    private final Gate gate;
    private final MessageReader reader;
    private final Engine engine;
    private final Map<String, Connection> connections = new ConcurrentHashMap<>();

    SseDoor(Gate gate, MessageReader reader, Engine engine) {
        this.reader = reader;
        this.gate = gate;
        this.engine = engine;
    }

    /// `GET /sse`
    void stream(Exchange exchange) {
        var caller = McpEndpoint.admitted(gate, exchange);
        if (!exchange.method().equals("GET")) {
            McpEndpoint.notAllowed(exchange, "GET");
            return;
        }
        var id = UUID.randomUUID().toString();
        var out = Sse.open(exchange, Sse.HEADERS);
        var sse = new PlainSse(out);
        var channel =
                new Channel(
                        Door.MCP,
                        caller,
                        engine,
                        Revision.R2024_11_05,
                        message -> sse.event(Json.bytes(message)));
        connections.put(id, new Connection(caller.id(), channel, out));
        out.write(Sse.frame("event: endpoint\n", Sse.ascii("/message?sessionId=" + id)));
        engine.revocations()
                .register(caller.id(), () -> out.closeFor(StreamEnd.KEY_REVOKED), out::onClose);
        Runnable beat = sse::beat;
        engine.beats().idle().watch(beat);
        out.onClose(() -> {
            engine.beats().idle().forget(beat);
            connections.remove(id);
            channel.close();
        });
    }

    /// `POST /message?sessionId=`
    void message(Exchange exchange) throws InterruptedException {
        var caller = McpEndpoint.admitted(gate, exchange);
        if (!exchange.method().equals("POST")) {
            McpEndpoint.notAllowed(exchange, "POST");
            return;
        }
        try {
            var channel = channel(exchange, caller);
            McpEndpoint.requireJson(exchange);
            var message = reader.read(caller, exchange.body());
            var body = exchange.keepBody();
            var place = exchange.keepPlace();
            take(
                    exchange,
                    channel,
                    message,
                    () -> {
                        body.close();
                        place.close();
                    });
        } catch (ProtocolError wrong) {
            McpEndpoint.refuse(exchange, engine.desk().shown(wrong, caller));
        }
    }

    /// @param held given back also when the message cannot be taken
    private static void take(Exchange exchange, Channel channel, Incoming message, Held held) {
        try {
            exchange.reply(202, Map.of(), new byte[0]);
            channel.take(message, held);
        } catch (RuntimeException failed) {
            held.close();
            throw failed;
        }
    }

    /// Ends the streams properly: calls in flight get a moment to be answered.
    void close() {
        long until = System.nanoTime() + engine.limits().drain().toNanos();
        for (var connection : connections.values()) {
            try {
                connection.channel().drain(until);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            connection.out().closeFor(StreamEnd.SERVER_STOPPING);
        }
    }

    private Channel channel(Exchange exchange, Caller caller) {
        var id = exchange.query("sessionId").orElseThrow(() -> wrong("Missing sessionId", 400));
        return Optional.ofNullable(connections.get(id))
                .filter(connection -> connection.owner().equals(caller.id()))
                .map(Connection::channel)
                .orElseThrow(() -> wrong("Invalid session ID", 404));
    }

    private static ProtocolError wrong(String message, int status) {
        return new ProtocolError(RpcError.INVALID_PARAMS, message, status);
    }
}

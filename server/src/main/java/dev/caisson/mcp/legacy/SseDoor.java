package dev.caisson.mcp.legacy;

import dev.caisson.call.Caller;
import dev.caisson.call.Door;
import dev.caisson.call.StreamEnd;
import dev.caisson.http.Exchange;
import dev.caisson.http.OutStream;
import dev.caisson.identity.Gate;
import dev.caisson.json.Json;
import dev.caisson.mcp.http.McpEndpoint;
import dev.caisson.mcp.http.PlainSseWriter;
import dev.caisson.mcp.http.SseWriter;
import dev.caisson.mcp.server.MessageReader;
import dev.caisson.mcp.server.OpenStreams;
import dev.caisson.rpc.IncomingMessage;
import dev.caisson.rpc.ProtocolError;
import dev.caisson.rpc.Revision;
import dev.caisson.rpc.RpcError;
import dev.caisson.share.HeldShare;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/// HTTP+SSE of 2024-11-05: one stream for all answers, whose first event says where to post. When
/// the stream is gone so is the session, and a post to it is refused: no answer is dropped unseen.
public final class SseDoor {
    private record Connection(String owner, ClientChannel channel, OutStream out) {}

    private final Gate gate;
    private final MessageReader reader;
    private final ClientChannels channels;
    private final OpenStreams streams;
    private final Map<String, Connection> connections = new ConcurrentHashMap<>();

    public SseDoor(Gate gate, MessageReader reader, ClientChannels channels, OpenStreams streams) {
        this.reader = reader;
        this.gate = gate;
        this.channels = channels;
        this.streams = streams;
    }

    /// `GET /sse`
    public void stream(Exchange exchange) {
        var caller = McpEndpoint.admitted(gate, exchange);
        if (!exchange.method().equals("GET")) {
            McpEndpoint.notAllowed(exchange, "GET");
            return;
        }
        var id = UUID.randomUUID().toString();
        var out = SseWriter.open(exchange, SseWriter.HEADERS);
        var sse = new PlainSseWriter(out);
        var channel =
                channels.open(
                        Door.MCP,
                        caller,
                        Revision.R2024_11_05,
                        message -> sse.event(Json.bytes(message)));
        connections.put(id, new Connection(caller.id(), channel, out));
        out.write(
                SseWriter.frame("event: endpoint\n", SseWriter.ascii("/message?sessionId=" + id)));
        streams.endWithKey(caller, out);
        streams.keepAlive(out, sse::beat);
        out.onClose(() -> {
            connections.remove(id);
            channel.close();
        });
    }

    /// `POST /message?sessionId=`
    public void message(Exchange exchange) throws InterruptedException {
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
            McpEndpoint.refuse(exchange, channels.dispatcher().shown(wrong, caller));
        }
    }

    /// @param held given back also when the message cannot be taken
    private static void take(
            Exchange exchange, ClientChannel channel, IncomingMessage message, HeldShare held) {
        try {
            exchange.reply(202, Map.of(), new byte[0]);
            channel.take(message, held);
        } catch (RuntimeException failed) {
            held.close();
            throw failed;
        }
    }

    /// Ends the streams properly: calls in flight get a moment to be answered.
    public void close(Duration atMost) {
        long until = System.nanoTime() + atMost.toNanos();
        for (var connection : connections.values()) {
            try {
                connection.channel().drain(until);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            connection.out().closeFor(StreamEnd.SERVER_STOPPING);
        }
    }

    private ClientChannel channel(Exchange exchange, Caller caller) {
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

package dev.caisson.mcp.http;

import dev.caisson.call.Caller;
import dev.caisson.call.Door;
import dev.caisson.http.Exchange;
import dev.caisson.http.Handler;
import dev.caisson.identity.Gate;
import dev.caisson.json.Json;
import dev.caisson.mcp.legacy.LegacyGet;
import dev.caisson.mcp.legacy.LegacyPost;
import dev.caisson.mcp.server.Dispatcher;
import dev.caisson.mcp.server.MessageReader;
import dev.caisson.mcp.server.Method;
import dev.caisson.mcp.server.RequestMeta;
import dev.caisson.mcp.server.ToolsetFilter;
import dev.caisson.rpc.IncomingMessage;
import dev.caisson.rpc.ProtocolError;
import dev.caisson.rpc.Revision;
import dev.caisson.rpc.Rpc;
import dev.caisson.rpc.RpcError;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Endpoint of Streamable HTTP: authenticates before anything is parsed, then chooses the revision
/// of each request.
///
/// A request is modern when its body or its version header says so, or when it asks for a method
/// that only modern clients know to ask for first. Everything else is legacy.
public final class McpEndpoint implements Handler {
    public static final String VERSION_HEADER = "MCP-Protocol-Version";

    private final Gate gate;
    private final MessageReader reader;
    private final ModernPost modern;
    private final LegacyPost legacy;
    private final LegacyGet listening;
    private final Dispatcher desk;

    public McpEndpoint(
            Gate gate,
            MessageReader reader,
            ModernPost modern,
            LegacyPost legacy,
            LegacyGet listening,
            Dispatcher desk) {
        this.desk = desk;
        this.reader = reader;
        this.gate = gate;
        this.modern = modern;
        this.legacy = legacy;
        this.listening = listening;
    }

    @Override
    public void handle(Exchange exchange) throws InterruptedException {
        var caller = admitted(gate, exchange);
        try {
            switch (exchange.method()) {
                case "POST" -> post(exchange, caller);
                case "GET" -> listen(exchange, caller);
                case "DELETE" -> end(exchange, caller);
                default -> notAllowed(exchange, "POST, GET, DELETE");
            }
        } catch (ProtocolError wrong) {
            refuse(exchange, desk.shown(wrong, caller));
        }
    }

    public static Caller admitted(Gate gate, Exchange exchange) {
        var caller =
                gate.admit(Door.MCP, exchange.clientAddress(), exchange.header("Authorization"));
        exchange.admitted(caller);
        return exchange.query("toolsets")
                .map(wanted -> ToolsetFilter.narrowed(caller, wanted))
                .orElse(caller);
    }

    public static void refuse(Exchange exchange, ProtocolError wrong) {
        exchange.reply(
                wrong.error().status(),
                Map.of("Content-Type", AcceptHeader.JSON),
                Json.bytes(Rpc.error(wrong.id(), wrong.error())));
    }

    public static void requireJson(Exchange exchange) {
        var type = exchange.header("Content-Type").orElse("").toLowerCase(Locale.ROOT);
        if (!type.equals(AcceptHeader.JSON)
                && !type.startsWith(AcceptHeader.JSON + ";")
                && !type.startsWith(AcceptHeader.JSON + " ")) {
            throw new ProtocolError(
                    RpcError.INVALID_REQUEST, "Content-Type must be application/json", 415);
        }
    }

    private void post(Exchange exchange, Caller caller) throws InterruptedException {
        requireJson(exchange);
        var message = reader.read(caller, exchange.body());
        if (isModern(exchange, message)) {
            modern.handle(exchange, caller, message);
        } else {
            legacy.post(exchange, caller, message);
        }
    }

    private static boolean isModern(Exchange exchange, IncomingMessage message) {
        return saysModern(exchange)
                || switch (message) {
                    case IncomingMessage.Request request ->
                            RequestMeta.version(request.params()).isPresent()
                                    || request.method().equals(Method.DISCOVER.word());
                    case IncomingMessage.Notification note ->
                            RequestMeta.version(note.params()).isPresent();
                    case IncomingMessage.Response _ -> false;
                };
    }

    private static boolean saysModern(Exchange exchange) {
        return exchange.header(VERSION_HEADER)
                .flatMap(Revision::of)
                .filter(Revision::modern)
                .isPresent();
    }

    /// The stream of a legacy client, also under a path of its own.
    void listen(Exchange exchange, Caller caller) {
        if (saysModern(exchange)) {
            notAllowed(exchange, "POST");
        } else {
            listening.listen(exchange, caller);
        }
    }

    /// Only the stream, for the alias of it.
    public void events(Exchange exchange) {
        var caller = admitted(gate, exchange);
        try {
            if (exchange.method().equals("GET")) {
                listen(exchange, caller);
            } else {
                notAllowed(exchange, "GET");
            }
        } catch (ProtocolError wrong) {
            refuse(exchange, desk.shown(wrong, caller));
        }
    }

    private void end(Exchange exchange, Caller caller) {
        if (saysModern(exchange)) {
            notAllowed(exchange, "POST");
        } else {
            legacy.end(exchange, caller);
        }
    }

    public static void notAllowed(Exchange exchange, String allowed) {
        var error =
                RpcError.of(RpcError.INVALID_REQUEST, "Method not allowed; use " + allowed, 405);
        exchange.reply(
                405,
                Map.of("Content-Type", AcceptHeader.JSON, "Allow", allowed),
                Json.bytes(Rpc.error(Optional.empty(), error)));
    }
}

package dev.caisson.mcp;

import dev.caisson.call.Caller;
import dev.caisson.call.Door;
import dev.caisson.http.Exchange;
import dev.caisson.http.Handler;
import dev.caisson.identity.Gate;
import dev.caisson.json.Json;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// The door of Streamable HTTP: who asks, before anything is parsed; then which era each request is
/// of.
///
/// A request is modern when its body or its version header says so, or when it asks for a method
/// that only modern clients know to ask for first. Everything else is legacy.
final class McpEndpoint implements Handler {
    static final String VERSION_HEADER = "MCP-Protocol-Version";

    private final Gate gate;
    private final MessageReader reader;
    private final ModernPost modern;
    private final LegacyPost legacy;
    private final LegacyListening listening;
    private final Desk desk;

    McpEndpoint(
            Gate gate,
            MessageReader reader,
            ModernPost modern,
            LegacyPost legacy,
            LegacyListening listening,
            Desk desk) {
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

    static Caller admitted(Gate gate, Exchange exchange) {
        var caller =
                gate.admit(Door.MCP, exchange.clientAddress(), exchange.header("Authorization"));
        exchange.admitted(caller);
        return exchange.query("toolsets")
                .map(wanted -> Toolsets.narrowed(caller, wanted))
                .orElse(caller);
    }

    static void refuse(Exchange exchange, ProtocolError wrong) {
        exchange.reply(
                wrong.error().status(),
                Map.of("Content-Type", Accepted.JSON),
                Json.bytes(Rpc.error(wrong.id(), wrong.error())));
    }

    static void requireJson(Exchange exchange) {
        var type = exchange.header("Content-Type").orElse("").toLowerCase(Locale.ROOT);
        if (!type.equals(Accepted.JSON)
                && !type.startsWith(Accepted.JSON + ";")
                && !type.startsWith(Accepted.JSON + " ")) {
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

    private static boolean isModern(Exchange exchange, Incoming message) {
        return saysModern(exchange)
                || switch (message) {
                    case Incoming.Request request ->
                            RequestMeta.version(request.params()).isPresent()
                                    || request.method().equals(Method.DISCOVER.word());
                    case Incoming.Notification note ->
                            RequestMeta.version(note.params()).isPresent();
                    case Incoming.Response _ -> false;
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
    void events(Exchange exchange) {
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

    static void notAllowed(Exchange exchange, String allowed) {
        var error =
                RpcError.of(RpcError.INVALID_REQUEST, "Method not allowed; use " + allowed, 405);
        exchange.reply(
                405,
                Map.of("Content-Type", Accepted.JSON, "Allow", allowed),
                Json.bytes(Rpc.error(Optional.empty(), error)));
    }
}

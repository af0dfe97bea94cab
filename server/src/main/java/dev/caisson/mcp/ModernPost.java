package dev.caisson.mcp;

import dev.caisson.broker.Broker;
import dev.caisson.call.Caller;
import dev.caisson.call.Door;
import dev.caisson.call.Refusal;
import dev.caisson.http.Exchange;
import dev.caisson.json.Json;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// A POST of 2026-07-28. It knows nothing but itself, and closing its answer cancels it.
final class ModernPost {
    private final Broker broker;
    private final Engine engine;
    private final ModernCodec codec;

    ModernPost(Broker broker, Engine engine) {
        this.broker = broker;
        this.engine = engine;
        this.codec = engine.modern();
    }

    void handle(Exchange exchange, Caller caller, Incoming message) {
        switch (message) {
            case Incoming.Request request -> request(exchange, caller, request);
            case Incoming.Notification _ -> exchange.reply(202, Map.of(), new byte[0]);
            case Incoming.Response response ->
                    throw new ProtocolError(
                            RpcError.of(
                                    RpcError.INVALID_REQUEST,
                                    "A client sends no responses in this revision",
                                    400),
                            Optional.of(response.id()));
        }
    }

    private void request(Exchange exchange, Caller caller, Incoming.Request request) {
        try {
            var accepted = accepted(exchange);
            var meta = checkedMeta(exchange, request);
            HeaderMirror.requireMethod(exchange, request.method());
            var method = engine.ledger().method(request.method(), codec.revision());
            HeaderMirror.requireName(exchange, method, request.params());
            var asked = McpRequest.read(method, request.params());
            engine.ledger().note(exchange, caller, codec.revision(), method, asked, meta);
            requireArguments(exchange, caller, asked);
            if (asked instanceof McpRequest.Listen listen) {
                engine.listeners().listen(exchange, caller, request.id(), listen.filter(), codec);
            } else {
                answer(exchange, caller, request.id(), asked, meta, accepted);
            }
        } catch (ProtocolError wrong) {
            throw new ProtocolError(wrong.error(), Optional.of(request.id()));
        } catch (Refusal refusal) {
            throw new ProtocolError(codec.error(refusal), Optional.of(request.id()));
        }
    }

    private static Accepted accepted(Exchange exchange) {
        var accepted = Accepted.of(exchange);
        if (!accepted.both()) {
            throw new ProtocolError(
                    RpcError.INVALID_REQUEST,
                    "Accept must list application/json and text/event-stream",
                    406);
        }
        return accepted;
    }

    /// In this order: the header is there, the body says what it must, both say the same, and it is
    /// something we speak.
    private RequestMeta checkedMeta(Exchange exchange, Incoming.Request request) {
        var header =
                exchange.header(McpEndpoint.VERSION_HEADER)
                        .map(String::strip)
                        .orElseThrow(() ->
                                HeaderMirror.mismatch(
                                        "The header "
                                                + McpEndpoint.VERSION_HEADER
                                                + " is missing"));
        var meta = meta(request);
        var said = RequestMeta.version(request.params()).map(JsonNode::stringValue).orElse("");
        if (!header.equals(said)) {
            throw HeaderMirror.mismatch(
                    "The header " + McpEndpoint.VERSION_HEADER + " differs from the body");
        }
        if (!Revision.modernWords().contains(said)) {
            throw unsupported(said);
        }
        return meta;
    }

    private RequestMeta meta(Incoming.Request request) {
        try {
            return RequestMeta.modern(request.params());
        } catch (Refusal refusal) {
            var error = codec.error(refusal);
            throw new ProtocolError(
                    new RpcError(error.code(), error.message(), error.data(), 400),
                    Optional.of(request.id()));
        }
    }

    static ProtocolError unsupported(String requested) {
        var data = Json.object();
        var supported = data.putArray("supported");
        Revision.modernWords().forEach(supported::add);
        data.put("requested", requested);
        return new ProtocolError(
                RpcError.of(
                                RpcError.UNSUPPORTED_VERSION,
                                "Unsupported protocol version: " + requested,
                                400)
                        .with(data),
                Optional.empty());
    }

    private void requireArguments(Exchange exchange, Caller caller, McpRequest asked) {
        if (asked instanceof McpRequest.CallTool call) {
            broker.tool(caller, call.name())
                    .ifPresent(spec ->
                            HeaderMirror.requireArguments(exchange, spec, call.arguments()));
        }
    }

    private void answer(
            Exchange exchange,
            Caller caller,
            Id id,
            McpRequest asked,
            RequestMeta meta,
            Accepted accepted) {
        var work = new Cancellation();
        var reply =
                new HttpReply(
                        exchange,
                        accepted,
                        engine.beats(),
                        engine.limits().quiet(),
                        Sse.HEADERS,
                        out -> {
                            out.onClose(work::cancel);
                            return new PlainSse(out);
                        });
        reply.watch();
        var context = Context.modern(Door.MCP, caller, exchange.traceContext(), codec, meta, reply);
        engine.desk()
                .answer(id, asked, context, work)
                .ifPresentOrElse(reply::finish, reply::abandon);
    }
}

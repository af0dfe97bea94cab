package dev.caisson.mcp.http;

import dev.caisson.call.Caller;
import dev.caisson.call.Door;
import dev.caisson.call.Refusal;
import dev.caisson.http.Exchange;
import dev.caisson.json.Json;
import dev.caisson.mcp.server.Cancellation;
import dev.caisson.mcp.server.ChangeSubscriptions;
import dev.caisson.mcp.server.Dispatcher;
import dev.caisson.mcp.server.Heartbeats;
import dev.caisson.mcp.server.McpRequest;
import dev.caisson.mcp.server.ModernCodec;
import dev.caisson.mcp.server.RequestContext;
import dev.caisson.mcp.server.RequestMeta;
import dev.caisson.rpc.IncomingMessage;
import dev.caisson.rpc.ProtocolError;
import dev.caisson.rpc.RequestId;
import dev.caisson.rpc.Revision;
import dev.caisson.rpc.RpcError;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Handler of a POST of 2026-07-28. A request knows nothing but itself, and closing its answer
/// cancels it.
public final class ModernPost {
    private final Dispatcher dispatcher;
    private final ChangeSubscriptions subscriptions;
    private final Heartbeats beats;
    private final Duration quiet;
    private final ModernCodec codec;

    /// @param quiet how long a call may take before its answer becomes a stream
    public ModernPost(
            Dispatcher dispatcher,
            ChangeSubscriptions subscriptions,
            Heartbeats beats,
            Duration quiet) {
        this.dispatcher = dispatcher;
        this.subscriptions = subscriptions;
        this.beats = beats;
        this.quiet = quiet;
        this.codec = dispatcher.modern();
    }

    void handle(Exchange exchange, Caller caller, IncomingMessage message) {
        switch (message) {
            case IncomingMessage.Request request -> request(exchange, caller, request);
            case IncomingMessage.Notification _ -> exchange.reply(202, Map.of(), new byte[0]);
            case IncomingMessage.Response response ->
                    throw new ProtocolError(
                            RpcError.of(
                                    RpcError.INVALID_REQUEST,
                                    "A client sends no responses in this revision",
                                    400),
                            Optional.of(response.id()));
        }
    }

    private void request(Exchange exchange, Caller caller, IncomingMessage.Request request) {
        try {
            var accepted = accepted(exchange);
            var meta = checkedMeta(exchange, request);
            HeaderMirror.requireMethod(exchange, request.method());
            var method = dispatcher.log().method(request.method(), codec.revision());
            HeaderMirror.requireName(exchange, method, request.params());
            var asked = dispatcher.read(method, request.params(), caller);
            dispatcher.log().note(exchange, codec.revision(), method, asked, meta);
            requireArguments(exchange, asked);
            if (asked instanceof McpRequest.Listen listen) {
                subscriptions.listen(exchange, caller, request.id(), listen.filter(), codec);
            } else {
                answer(exchange, caller, request.id(), asked, meta, accepted);
            }
        } catch (ProtocolError wrong) {
            throw new ProtocolError(wrong.error(), Optional.of(request.id()));
        } catch (Refusal refusal) {
            throw new ProtocolError(codec.error(refusal), Optional.of(request.id()));
        }
    }

    private static AcceptHeader accepted(Exchange exchange) {
        var accepted = AcceptHeader.of(exchange);
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
    private RequestMeta checkedMeta(Exchange exchange, IncomingMessage.Request request) {
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

    private RequestMeta meta(IncomingMessage.Request request) {
        try {
            return RequestMeta.modern(request.params());
        } catch (Refusal refusal) {
            var error = codec.error(refusal);
            throw new ProtocolError(
                    new RpcError(error.code(), error.message(), error.data(), 400),
                    Optional.of(request.id()));
        }
    }

    public static ProtocolError unsupported(String requested) {
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

    private void requireArguments(Exchange exchange, McpRequest asked) {
        if (asked instanceof McpRequest.CallTool call) {
            call.tool()
                    .spec()
                    .ifPresent(spec ->
                            HeaderMirror.requireArguments(exchange, spec, call.arguments()));
        }
    }

    private void answer(
            Exchange exchange,
            Caller caller,
            RequestId id,
            McpRequest asked,
            RequestMeta meta,
            AcceptHeader accepted) {
        var work = new Cancellation();
        var reply =
                new HttpReply(
                        exchange,
                        accepted,
                        beats,
                        quiet,
                        SseWriter.HEADERS,
                        out -> {
                            out.onClose(work::cancel);
                            return new PlainSseWriter(out);
                        });
        reply.watch();
        var context =
                RequestContext.modern(
                        Door.MCP, caller, exchange.traceContext(), codec, meta, reply);
        dispatcher.answer(id, asked, context, work).ifPresentOrElse(reply::finish, reply::abandon);
    }
}

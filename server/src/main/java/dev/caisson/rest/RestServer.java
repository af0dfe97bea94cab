package dev.caisson.rest;

import dev.caisson.call.Caller;
import dev.caisson.http.Exchange;
import dev.caisson.http.Handler;
import dev.caisson.identity.Gate;
import dev.caisson.json.Json;
import java.util.HashMap;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// The door of REST: who asks, before anything else is told or read; then which route, whether it
/// may be used, and what it answers. For everything below `/v1/`.
public final class RestServer implements Handler {
    /// Whoever uses a route that needs no key.
    private static final Caller ANYBODY =
            new Caller("anybody", "anybody", Set.of(), Set.of("(none)"));

    private final Gate gate;
    private final RouteTable table;

    public RestServer(Gate gate, Api api) {
        this(gate, api.table());
    }

    RestServer(Gate gate, RouteTable table) {
        this.gate = gate;
        this.table = table;
    }

    @Override
    public void handle(Exchange exchange) throws Exception {
        try {
            switch (answer(exchange)) {
                case Response.Whole whole -> reply(exchange, whole);
                case Response.Begun _ -> {}
            }
        } catch (Problem problem) {
            reply(exchange, problem.response());
        }
    }

    private Response answer(Exchange exchange) throws Exception {
        var found = table.find(exchange.method(), exchange.path());
        var open = found.filter(each -> !each.route().access().key());
        if (open.isPresent()) {
            return answer(exchange, open.get(), ANYBODY);
        }
        var caller = gate.admit(exchange.clientAddress(), exchange.header("Authorization"));
        exchange.note("caller", caller.name());
        return answer(exchange, found.orElseThrow(() -> table.missing(exchange.path())), caller);
    }

    private static Response answer(Exchange exchange, RouteTable.Found found, Caller caller)
            throws Exception {
        var route = found.route();
        exchange.note("operation", route.id());
        route.access().require(caller);
        var body = route.body().map(each -> each.read(exchange)).orElseGet(Json::object);
        return route.action().answer(new Ask(caller, exchange, found.places(), body));
    }

    private static void reply(Exchange exchange, Response.Whole whole) {
        var headers = new HashMap<>(whole.headers());
        whole.body().ifPresent(_ -> headers.put("Content-Type", Reply.JSON));
        headers.put("Cache-Control", "no-store");
        exchange.reply(whole.status(), headers, bytes(whole.body()));
    }

    private static byte[] bytes(Optional<JsonNode> body) {
        return body.map(Json::bytes).orElseGet(() -> new byte[0]);
    }
}

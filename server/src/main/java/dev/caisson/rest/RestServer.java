package dev.caisson.rest;

import dev.caisson.call.Call;
import dev.caisson.call.Caller;
import dev.caisson.call.Door;
import dev.caisson.call.Refusal;
import dev.caisson.call.Revocations;
import dev.caisson.http.Exchange;
import dev.caisson.http.Handler;
import dev.caisson.identity.Gate;
import dev.caisson.json.Json;
import dev.caisson.rest.route.HttpProblem;
import dev.caisson.rest.route.Reply;
import dev.caisson.rest.route.Response;
import dev.caisson.rest.route.Route;
import dev.caisson.rest.route.RouteRequest;
import dev.caisson.rest.route.RouteTable;
import dev.caisson.rest.runs.RestConversation;
import dev.caisson.share.CallerWorkers;
import dev.caisson.share.Workers;
import java.util.HashMap;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// HTTP handler of the REST API: who asks, before anything else is told or read; then which route,
/// whether it may be used, and what it answers. For everything below `/v1/`.
public final class RestServer implements Handler {
    /// The caller of a route that needs no key.
    private static final Caller ANYBODY =
            new Caller("anybody", "anybody", Set.of(), Set.of("(none)"));

    private final Gate gate;
    private final RouteTable table;
    private final Revocations revocations;
    private final Workers workers;
    private final Refusals refusals;

    /// What happens to refusals before they are answered.
    public interface Refusals {
        /// Takes out what its caller handed over in confidence.
        Refusal shown(Caller caller, Refusal refusal);

        /// Records that a caller may not use a route.
        void denied(Call call, String operation, Refusal refusal) throws InterruptedException;
    }

    public RestServer(Gate gate, Api api) {
        this(gate, api.table(), api.workers(), api.refusals());
    }

    public RestServer(Gate gate, RouteTable table, Workers workers, Refusals refusals) {
        this.workers = workers;
        this.refusals = refusals;
        this.gate = gate;
        this.table = table;
        this.revocations = gate.revocations();
    }

    @Override
    public void handle(Exchange exchange) throws Exception {
        try {
            switch (answer(exchange)) {
                case Response.Whole whole -> reply(exchange, whole);
                case Response.Begun _ -> {}
            }
        } catch (HttpProblem problem) {
            reply(exchange, problem.response());
        }
    }

    private Response answer(Exchange exchange) throws Exception {
        var found = table.find(exchange.method(), exchange.path());
        var open = found.filter(each -> !each.route().access().key());
        if (open.isPresent()) {
            exchange.admittedByAddress();
            return answer(exchange, open.get(), ANYBODY);
        }
        var caller =
                gate.admit(Door.REST, exchange.clientAddress(), exchange.header("Authorization"));
        exchange.admitted(caller);
        try {
            return answer(
                    exchange, found.orElseThrow(() -> table.missing(exchange.path())), caller);
        } catch (Refusal refusal) {
            throw refusals.shown(caller, refusal);
        }
    }

    private Response answer(Exchange exchange, RouteTable.Found found, Caller caller)
            throws Exception {
        var route = found.route();
        exchange.note("operation", route.id());
        admit(exchange, route, caller);
        var body =
                route.body().isPresent()
                        ? route.body().get().read(exchange, new CallerWorkers(workers, caller.id()))
                        : Json.object();
        return route.action()
                .answer(new RouteRequest(caller, exchange, found.places(), body, revocations));
    }

    private void admit(Exchange exchange, Route route, Caller caller) throws InterruptedException {
        try {
            route.access().require(caller);
        } catch (Refusal refusal) {
            refusals.denied(RestConversation.refused(caller, exchange), route.id(), refusal);
            throw refusal;
        }
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

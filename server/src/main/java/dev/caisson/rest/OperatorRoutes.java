package dev.caisson.rest;

import dev.caisson.broker.ActionRequest;
import dev.caisson.broker.Broker;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import dev.caisson.json.Records;
import dev.caisson.rest.route.Response;
import dev.caisson.rest.route.RouteRequest;
import dev.caisson.rest.runs.RestConversation;
import java.util.concurrent.Semaphore;

/// Routes for the operator: status and doctor.
final class OperatorRoutes {
    private final ServerFacts facts;
    private final Broker broker;
    private final Semaphore doctor = new Semaphore(1);

    OperatorRoutes(ServerFacts facts, Broker broker) {
        this.facts = facts;
        this.broker = broker;
    }

    Response status(RouteRequest ask) {
        return Response.ok(Records.tree(facts.status().get()));
    }

    /// One examination at a time: it takes seconds and a sandbox.
    Response doctor(RouteRequest ask) throws Exception {
        return broker.act(
                RestConversation.inline(ask),
                ActionRequest.change("doctor", Json.object()),
                _ -> examined());
    }

    private Response examined() throws Exception {
        if (!doctor.tryAcquire()) {
            throw new Refusal(Reason.CONFLICT, "The doctor is already running. Try again shortly.");
        }
        try {
            return Response.ok(facts.doctor().call());
        } finally {
            doctor.release();
        }
    }
}

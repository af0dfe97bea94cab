package dev.caisson.rest;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Records;
import java.util.concurrent.Semaphore;

/// What the operator wants to know of the server.
final class OperatorRoutes {
    private final ServerFacts facts;
    private final Semaphore doctor = new Semaphore(1);

    OperatorRoutes(ServerFacts facts) {
        this.facts = facts;
    }

    Response status(Ask ask) {
        return Response.ok(Records.tree(facts.status().get()));
    }

    /// One examination at a time: it takes seconds and a sandbox.
    Response doctor(Ask ask) throws Exception {
        if (!doctor.tryAcquire()) {
            throw new Refusal(Reason.CONFLICT, "An examination is under way; try again shortly.");
        }
        try {
            return Response.ok(facts.doctor().call());
        } finally {
            doctor.release();
        }
    }
}

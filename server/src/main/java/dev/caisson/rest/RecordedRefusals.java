package dev.caisson.rest;

import dev.caisson.broker.ActionRequest;
import dev.caisson.broker.Broker;
import dev.caisson.call.Call;
import dev.caisson.call.Caller;
import dev.caisson.call.Refusal;
import dev.caisson.json.Json;

/// Refusals of routes, recorded in the ledger by the broker.
record RecordedRefusals(Broker broker) implements RestServer.Refusals {
    @Override
    public Refusal shown(Caller caller, Refusal refusal) {
        return broker.shown(caller, refusal);
    }

    /// Nothing of the body was read, so the entry has no arguments.
    @Override
    public void denied(Call call, String operation, Refusal refusal) throws InterruptedException {
        broker.act(
                call,
                ActionRequest.read(operation, Json.object()),
                _ -> {
                    throw refusal;
                });
    }
}

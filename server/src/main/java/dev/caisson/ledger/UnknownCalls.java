package dev.caisson.ledger;

import dev.caisson.broker.ActionRequest;
import dev.caisson.broker.Broker;
import dev.caisson.call.Call;
import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Scope;
import dev.caisson.json.Json;
import dev.caisson.ledger.UpstreamCall.Reconciliation;
import dev.caisson.ledger.UpstreamCall.Reconciliation.How;
import dev.caisson.store.Store;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Calls of which nobody knows what they did, and what was found out about them. A caller without
/// the scope `approve` sees its own and says nothing about any. Each answer is recorded.
public final class UnknownCalls {
    private final Broker broker;
    private final Store store;
    private final Clock clock;

    public UnknownCalls(Broker broker, Store store, Clock clock) {
        this.broker = broker;
        this.store = store;
        this.clock = clock;
    }

    /// The newest first. A page may be shorter than asked for.
    ///
    /// @param before the id of the last one of the page before
    public List<UpstreamCall> list(Caller caller, Optional<String> before, int limit) {
        return store.read(handle ->
                UnknownCallRows.page(
                        handle, owner(caller), before, limit, UpstreamCalls.PAGE_BYTES_MAX));
    }

    private static Optional<String> owner(Caller caller) {
        return caller.may(Scope.APPROVE) ? Optional.empty() : Optional.of(caller.id());
    }

    /// A person looked there and says whether a call happened.
    ///
    /// @throws Refusal NOT_FOUND for none, CONFLICT when that is known already
    public UpstreamCall decide(Call call, String id, boolean happened) throws InterruptedException {
        return broker.act(
                call,
                ActionRequest.change(
                        "call_reconcile", Json.object().put("id", id).put("happened", happened)),
                _ -> found(id, happened, How.PERSON, call.caller().name()));
    }

    /// Notes what was found out.
    ///
    /// @param by the name of a person, or a tool
    public UpstreamCall found(String id, boolean happened, How how, String by) {
        var found = new Reconciliation(how, by, clock.instant());
        boolean noted =
                store.write(handle -> UnknownCallRows.reconcile(handle, id, happened, found));
        var now =
                store.read(handle -> UnknownCallRows.find(handle, id))
                        .orElseThrow(() ->
                                new Refusal(
                                        Reason.NOT_FOUND,
                                        "There is no call of this id. GET /v1/calls lists those of which nobody knows."));
        if (!noted) {
            throw new Refusal(
                    Reason.CONFLICT,
                    "It is known what became of this call: it is %s%s."
                            .formatted(
                                    now.state().word(),
                                    now.reconciled().map(one -> ", by " + one.by()).orElse("")),
                    Map.of(Refusal.RETRYABLE, false, "state", now.state().word()));
        }
        return now;
    }
}

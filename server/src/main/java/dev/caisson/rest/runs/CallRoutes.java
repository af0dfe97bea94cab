package dev.caisson.rest.runs;

import static dev.caisson.call.Scope.APPROVE;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Describe;
import dev.caisson.json.Records;
import dev.caisson.ledger.ShownCall;
import dev.caisson.ledger.UnknownCalls;
import dev.caisson.rest.route.Paging;
import dev.caisson.rest.route.Parameter;
import dev.caisson.rest.route.Response;
import dev.caisson.rest.route.Route;
import dev.caisson.rest.route.RouteRequest;
import dev.caisson.rest.runs.ToolCallRoutes.ToolCallList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Routes of the calls of other servers' tools of which nobody knows what they did.
public record CallRoutes(UnknownCalls calls) {
    private static final String UNKNOWN = "unknown";

    record Finding(
            @Describe("True when the call happened there, false when it did not.")
                    boolean happened) {}

    public List<Route> routes() {
        return List.of(
                Route.get("/v1/calls")
                        .named(
                                "listUnknownCalls",
                                "Calls of which nobody knows what they did: all of them with the"
                                        + " scope approve, otherwise those of this key")
                        .with(
                                Parameter.query("state", "unknown, as if absent"),
                                Paging.limit(),
                                Paging.cursor())
                        .giving(ToolCallList.class)
                        .by(this::list),
                Route.post("/v1/calls/{id}/reconcile")
                        .named("reconcileCall", "Say whether a call happened, after a look there")
                        .needing(APPROVE)
                        .taking(Finding.class)
                        .giving(ShownCall.class)
                        .refusing(409)
                        .by(this::reconcile));
    }

    private Response list(RouteRequest ask) {
        if (!ask.query("state").orElse(UNKNOWN).equals(UNKNOWN)) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT, "state may be unknown.", Map.of("parameter", "state"));
        }
        var page = calls.list(ask.caller(), ask.query(Paging.CURSOR), Paging.limit(ask));
        var next =
                page.isEmpty()
                                || calls.list(ask.caller(), Optional.of(page.getLast().id()), 1)
                                        .isEmpty()
                        ? Optional.<String>empty()
                        : Optional.of(page.getLast().id());
        return Response.ok(
                Records.tree(new ToolCallList(page.stream().map(ShownCall::of).toList(), next)));
    }

    private Response reconcile(RouteRequest ask) throws InterruptedException {
        var found =
                calls.decide(
                        RestConversation.inline(ask),
                        ask.place("id"),
                        ask.body(Finding.class).happened());
        return Response.ok(Records.tree(ShownCall.of(found)));
    }
}

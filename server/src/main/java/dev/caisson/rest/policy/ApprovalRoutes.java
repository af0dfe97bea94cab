package dev.caisson.rest.policy;

import static dev.caisson.call.Scope.APPROVE;

import dev.caisson.actions.ApprovalActions;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Describe;
import dev.caisson.json.Length;
import dev.caisson.json.Records;
import dev.caisson.policy.Approval;
import dev.caisson.policy.ApprovalAnswers.ApprovalDetail;
import dev.caisson.policy.ApprovalAnswers.ApprovalList;
import dev.caisson.policy.ApprovalAnswers.ApprovalShown;
import dev.caisson.policy.ApprovalDesk;
import dev.caisson.rest.route.Paging;
import dev.caisson.rest.route.Parameter;
import dev.caisson.rest.route.Response;
import dev.caisson.rest.route.Route;
import dev.caisson.rest.route.RouteRequest;
import dev.caisson.rest.runs.RestConversation;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Routes of approvals: what waits for a person, and decisions on it.
public record ApprovalRoutes(ApprovalActions actions) {
    /// What a person decides.
    enum Choice {
        APPROVE,
        DENY
    }

    record DecisionBody(
            Choice decision,
            @Describe(
                            "How far an approval goes: this call (once, as if absent), this tool for"
                                    + " the rest of the run, or always, by a stored rule.")
                    Optional<Approval.Scope> scope,
            @Describe("With always: only calls with these very arguments.")
                    Optional<Boolean> arguments,
            @Describe("Why; the program or the client is told.") @Length(min = 1, max = 500)
                    Optional<String> reason) {}

    public List<Route> routes() {
        return List.of(
                Route.get("/v1/approvals")
                        .named(
                                "listApprovals",
                                "Calls that wait for a person: all of them with the scope approve,"
                                        + " otherwise those of this key")
                        .with(
                                Parameter.query("state", "pending (as if absent) or all"),
                                Paging.limit(),
                                Paging.cursor())
                        .giving(ApprovalList.class)
                        .by(this::list),
                Route.get("/v1/approvals/{id}")
                        .named("getApproval", "One of them, with what was approved last")
                        .giving(ApprovalDetail.class)
                        .by(this::get),
                Route.post("/v1/approvals/{id}")
                        .named("decideApproval", "Approve or deny a call that waits")
                        .needing(APPROVE)
                        .taking(DecisionBody.class)
                        .giving(ApprovalShown.class)
                        .refusing(409)
                        .by(this::decide));
    }

    private Response list(RouteRequest ask) {
        var state = ask.query("state").orElse("pending");
        if (!state.equals("pending") && !state.equals("all")) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "state may be pending or all.",
                    Map.of("parameter", "state"));
        }
        var limit = Paging.limit(ask);
        var found =
                actions.list(
                        ask.caller(),
                        state.equals("pending"),
                        ask.query(Paging.CURSOR).orElse(""),
                        limit + 1);
        var shown = found.stream().limit(limit).map(ApprovalShown::of).toList();
        var next =
                found.size() > limit ? Optional.of(shown.getLast().id()) : Optional.<String>empty();
        return Response.ok(Records.tree(new ApprovalList(shown, next)));
    }

    private Response get(RouteRequest ask) {
        var found = actions.find(ask.caller(), ask.place("id"));
        return Response.ok(Records.tree(ApprovalDetail.of(found, actions.lastArguments(found))));
    }

    private Response decide(RouteRequest ask) throws InterruptedException {
        var body = ask.body(DecisionBody.class);
        var decided =
                actions.decide(
                        RestConversation.inline(ask),
                        ask.place("id"),
                        new ApprovalDesk.Decision(
                                body.decision() == Choice.APPROVE,
                                body.scope().orElse(Approval.Scope.ONCE),
                                body.arguments().orElse(false),
                                body.reason()));
        return Response.ok(Records.tree(ApprovalShown.of(decided)));
    }
}

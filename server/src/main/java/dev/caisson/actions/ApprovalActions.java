package dev.caisson.actions;

import dev.caisson.broker.ActionRequest;
import dev.caisson.broker.Broker;
import dev.caisson.call.Call;
import dev.caisson.call.Caller;
import dev.caisson.json.Json;
import dev.caisson.policy.Approval;
import dev.caisson.policy.ApprovalDesk;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Decisions of people on calls. A record has what was decided, and no arguments of the call.
public final class ApprovalActions {
    private final Broker broker;
    private final ApprovalDesk desk;

    public ApprovalActions(Broker broker, ApprovalDesk desk) {
        this.broker = broker;
        this.desk = desk;
    }

    /// Reading changes nothing and is not recorded: whoever waits looks often.
    public List<Approval> list(Caller caller, boolean pendingOnly, String before, int limit) {
        return desk.list(caller, pendingOnly, before, limit);
    }

    public Approval find(Caller caller, String id) {
        return desk.find(caller, id);
    }

    /// The arguments that were approved last for this key and tool.
    public Optional<ObjectNode> lastArguments(Approval approval) {
        return desk.lastArguments(approval);
    }

    public Approval decide(Call call, String id, ApprovalDesk.Decision decision)
            throws InterruptedException {
        var given =
                Json.object()
                        .put("id", id)
                        .put("decision", decision.approve() ? "approve" : "deny")
                        .put("scope", decision.scope().word())
                        .put("arguments", decision.arguments());
        decision.reason().ifPresent(why -> given.put("reason", why));
        return broker.act(
                call,
                ActionRequest.change("approval_decide", given),
                _ -> desk.decide(call.caller(), id, decision));
    }
}

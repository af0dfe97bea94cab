package dev.caisson.policy;

import dev.caisson.broker.ActionRequest;
import dev.caisson.broker.CallPolicy;
import dev.caisson.broker.ToolEffect;
import dev.caisson.broker.ToolOrigin;
import dev.caisson.call.Call;
import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.ToolErrorType;
import java.util.Map;

/// Policy by the effect of a tool: of other servers, only tools that change nothing may be called.
/// Our own tools have their rules where they are.
public final class EffectPolicy implements CallPolicy {
    @Override
    public void check(Call call, ActionRequest action) {
        action.origin()
                .filter(tool -> verdict(call.caller(), tool) == Verdict.DENY)
                .ifPresent(tool -> {
                    throw denied(tool);
                });
    }

    @Override
    public Verdict verdict(Caller caller, ToolOrigin tool) {
        return tool.isOwn() || tool.effect() == ToolEffect.READ ? Verdict.ALLOW : Verdict.DENY;
    }

    private static Refusal denied(ToolOrigin tool) {
        var effect =
                tool.effect() == ToolEffect.UNKNOWN
                        ? "whether it changes something is not known"
                        : "its effect is " + tool.effect().word();
        return Refusal.of(
                ToolErrorType.DENIED,
                Reason.DENIED,
                ("%s may not be called: %s, and only tools of other servers that change nothing may."
                                + " If it changes nothing, an operator can say so: effect read for"
                                + " this tool of the server %s.")
                        .formatted(tool.ledgerName(), effect, tool.server()),
                Map.of("tool", tool.ledgerName(), "effect", tool.effect().word()));
    }
}

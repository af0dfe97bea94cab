package dev.caisson.broker;

import dev.caisson.call.Call;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.ToolErrorType;
import java.util.Map;

/// Consent to a call that somebody must approve before it is made. Asked where the policy says so;
/// it may wait.
@FunctionalInterface
public interface Consent {
    /// Nobody can be asked.
    Consent NOBODY =
            (_, action, need) -> {
                throw Refusal.of(
                        ToolErrorType.DENIED,
                        Reason.DENIED,
                        "%s may not be called: by the rule %s of the policy a person must approve it, and nobody can be asked here."
                                .formatted(action.name(), need.rule()),
                        Map.of("tool", action.name(), "rule", need.rule()));
            };

    /// Returns when the call may be made, and notes the decision, see
    /// [dev.caisson.call.CallNotes#approval].
    ///
    /// @throws Refusal DENIED when it was denied, WAITING_APPROVAL when the decision is not there
    void obtain(Call call, ActionRequest action, ApprovalNeed need) throws InterruptedException;
}

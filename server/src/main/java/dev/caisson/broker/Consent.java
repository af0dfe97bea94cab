package dev.caisson.broker;

import dev.caisson.call.Call;

/// Consent to a call that somebody must approve before it is made. Asked of every action that the
/// policy allows; it may wait.
@FunctionalInterface
public interface Consent {
    Consent NOT_NEEDED = (_, _) -> {};

    /// Returns when the call may be made, and notes the decision, see
    /// [dev.caisson.call.CallNotes#approval].
    ///
    /// @throws dev.caisson.call.Refusal FORBIDDEN when it was denied
    void obtain(Call call, ActionRequest action) throws InterruptedException;
}

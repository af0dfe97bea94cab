package dev.caisson.broker;

import dev.caisson.call.Call;

/// Policy on calls: decides whether a caller may do this, with these arguments. Asked of every
/// action, after its arguments were found valid and before anything is done.
@FunctionalInterface
public interface CallPolicy {
    CallPolicy ALLOW_ALL = (_, _) -> {};

    /// @throws dev.caisson.call.Refusal FORBIDDEN when the call is denied
    void check(Call call, ActionRequest action);
}

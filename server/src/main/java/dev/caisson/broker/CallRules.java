package dev.caisson.broker;

import dev.caisson.call.Call;

/// Rules every action passes before it is done: policy, then consent.
public record CallRules(CallPolicy policy, Consent consent) {
    public static final CallRules ALLOW_ALL = new CallRules(CallPolicy.ALLOW_ALL, Consent.NOBODY);

    void pass(Call call, ActionRequest action) throws InterruptedException {
        var need = policy.check(call, action);
        if (need.isPresent()) {
            consent.obtain(call, action, need.get());
            policy.approved(call, need.get());
        }
    }
}

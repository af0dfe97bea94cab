package dev.caisson;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.policy.PolicySettings;
import dev.caisson.policy.PolicyWatch;
import dev.caisson.policy.RuleMistakes;
import dev.caisson.policy.Rules;
import dev.caisson.store.Store;
import dev.caisson.telemetry.Metrics;
import java.time.Clock;

/// Wiring of the policy on calls.
final class PolicyWiring {
    private PolicyWiring() {}

    /// The rules, and the watch over them.
    ///
    /// @param stop is told how to close what was opened
    /// @throws Refusal with every mistake in the file
    static Rules rules(
            PolicySettings settings, Store store, Clock clock, Metrics metrics, StopPlan stop) {
        var rules = new Rules(store, clock, settings.rest());
        try {
            stop.addQuick(StopStep.WATCHES, PolicyWatch.start(rules, settings.file())::close);
        } catch (RuleMistakes wrong) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "The file of policy.file cannot be used. " + wrong.sentences());
        }
        metrics.watch(
                "caisson_policy_problems",
                "Mistakes in the file of rules and stored rules that cannot be used.",
                rules::problems);
        return rules;
    }
}

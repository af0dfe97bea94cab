package dev.caisson;

import dev.caisson.actions.CalledTools;
import dev.caisson.actions.PolicyActions;
import dev.caisson.broker.Broker;
import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.identity.KeyDirectory;
import dev.caisson.identity.KeyInfo;
import dev.caisson.ledger.UpstreamCalls;
import dev.caisson.policy.PolicySettings;
import dev.caisson.policy.PolicyWatch;
import dev.caisson.policy.RuleMistakes;
import dev.caisson.policy.Rules;
import dev.caisson.store.Store;
import dev.caisson.telemetry.Metrics;
import java.time.Clock;
import java.util.function.UnaryOperator;

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

    /// The rules for a command beside a server. Mistakes in the file are told with the rules.
    static Rules offline(PolicySettings settings, Store store, Clock clock) {
        var rules = new Rules(store, clock, settings.rest());
        PolicyWatch.look(rules, settings.file());
        return rules;
    }

    /// @param callers those of the keys, as they are admitted
    static PolicyActions actions(
            Broker broker,
            Rules rules,
            UpstreamCalls calls,
            KeyDirectory keys,
            UnaryOperator<Caller> callers,
            Clock clock) {
        return new PolicyActions(
                broker,
                rules,
                new RecordedCalls(calls, keys),
                CalledTools.of(broker),
                callers(keys, callers, clock),
                clock);
    }

    /// Callers whose keys work, by the name or the id of the key.
    static PolicyActions.CallerSearch callers(
            KeyDirectory keys, UnaryOperator<Caller> callers, Clock clock) {
        return nameOrId ->
                keys.list().stream()
                        .filter(key -> key.worksAt(clock.instant()))
                        .filter(key -> key.name().equals(nameOrId) || key.id().equals(nameOrId))
                        .map(KeyInfo::caller)
                        .map(callers)
                        .toList();
    }
}

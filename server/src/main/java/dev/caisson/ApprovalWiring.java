package dev.caisson;

import dev.caisson.actions.ApprovalActions;
import dev.caisson.broker.Broker;
import dev.caisson.broker.ToolOrigin;
import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Caller;
import dev.caisson.call.KeyedDigest;
import dev.caisson.policy.Approval;
import dev.caisson.policy.ApprovalDesk;
import dev.caisson.policy.ApprovalSettings;
import dev.caisson.policy.ApprovalStore;
import dev.caisson.policy.Approvals;
import dev.caisson.policy.Rules;
import dev.caisson.redact.Redaction;
import dev.caisson.store.Store;
import dev.caisson.telemetry.Metrics;
import dev.caisson.workflow.StoredProcesses;
import java.time.Clock;
import java.util.Set;
import java.util.function.Supplier;

/// Wiring of approvals.
final class ApprovalWiring {
    private final ApprovalStore store;
    private final Approvals consent;
    private final Rules rules;
    private final ApprovalDesk.DefinitionCheck definitions;

    /// @param broker that has the tools; asked for when calls come
    ApprovalWiring(
            ApprovalSettings settings,
            Store database,
            StoredProcesses processes,
            Clock clock,
            KeyedDigest digest,
            Redaction redaction,
            Rules rules,
            Supplier<Broker> broker,
            Metrics metrics) {
        this.rules = rules;
        definitions = bound -> bound.definition().isEmpty() || isCurrent(broker.get(), bound);
        store = new ApprovalStore(database, processes, clock);
        consent =
                new Approvals(
                        store,
                        settings,
                        clock,
                        digest,
                        (tool, caller, arguments) ->
                                redaction.of(tool, caller).tree(arguments, Set.of()),
                        definitions);
        metrics.watch(
                "caisson_approvals_pending", "Calls that wait for a person.", consent::pending);
    }

    Approvals consent() {
        return consent;
    }

    private static boolean isCurrent(Broker broker, Approval.Bound bound) {
        return broker.findOrigin(Caller.LOCAL, bound.server(), bound.tool())
                .spec()
                .map(ToolSpec::effectiveOrigin)
                .map(ToolOrigin::definitionHash)
                .filter(bound.definition()::equals)
                .isPresent();
    }

    ApprovalActions actions(Broker broker) {
        return new ApprovalActions(broker, new ApprovalDesk(store, rules, definitions));
    }
}

package dev.caisson.policy;

import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Scope;
import dev.caisson.json.Json;
import dev.caisson.policy.Approval.Bound;
import dev.caisson.policy.Approval.State;
import dev.caisson.policy.ApprovalStore.Ruling;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import tools.jackson.databind.node.ObjectNode;

/// Decisions of people on calls: what waits for them, and what becomes of it. A caller without the
/// scope `approve` sees its own and decides on none; a decision for always is a rule, so it takes
/// the scope `admin` as well.
public final class ApprovalDesk {
    private final ApprovalStore store;
    private final Rules rules;
    private final DefinitionCheck definitions;

    /// What tells whether a definition is still the one that may be called.
    @FunctionalInterface
    public interface DefinitionCheck {
        boolean isCurrent(Bound bound);
    }

    public ApprovalDesk(ApprovalStore store, Rules rules, DefinitionCheck definitions) {
        this.store = store;
        this.rules = rules;
        this.definitions = definitions;
    }

    /// @param before the id behind which the page begins; empty for the first
    public List<Approval> list(Caller caller, boolean pendingOnly, String before, int limit) {
        store.expire();
        return store.list(owner(caller), pendingOnly, before, limit);
    }

    private static Optional<String> owner(Caller caller) {
        return caller.may(Scope.APPROVE) ? Optional.empty() : Optional.of(caller.id());
    }

    /// @throws Refusal NOT_FOUND when there is none that this caller may see
    public Approval find(Caller caller, String id) {
        var found = store.find(id).filter(one -> isSeen(caller, one)).orElseThrow(this::missing);
        return store.settled(found.id());
    }

    private static boolean isSeen(Caller caller, Approval approval) {
        return owner(caller).map(approval.bound().caller()::equals).orElse(true);
    }

    private Refusal missing() {
        return new Refusal(
                Reason.NOT_FOUND, "There is no approval of this id. GET /v1/approvals lists them.");
    }

    /// The arguments that were approved last for this key and tool.
    public Optional<ObjectNode> lastArguments(Approval approval) {
        return store.lastApproved(approval.bound())
                .filter(one -> !one.id().equals(approval.id()))
                .map(one -> one.details().path("arguments"))
                .filter(ObjectNode.class::isInstance)
                .map(ObjectNode.class::cast);
    }

    /// @param scope of an approval
    /// @param arguments whether a rule for always is about these arguments alone
    public record Decision(
            boolean approve, Approval.Scope scope, boolean arguments, Optional<String> reason) {}

    /// Decides on an approval, once.
    ///
    /// @throws Refusal FORBIDDEN when this caller may not decide so; CONFLICT when it is decided
    ///   already, or cannot be decided so
    public Approval decide(Caller caller, String id, Decision decision) {
        var approval = find(caller, id);
        requireScopes(caller, decision);
        requirePending(approval);
        if (!definitions.isCurrent(approval.bound())) {
            store.withdraw(id, Approvals.OTHER_DEFINITION);
            requirePending(store.settled(id));
        }
        var made = decision.approve() ? rule(caller, approval, decision) : Optional.<String>empty();
        var ruling =
                new Ruling(
                        decision.approve(),
                        decision.scope(),
                        decision.arguments(),
                        decision.reason(),
                        caller.name());
        if (!store.decide(approval, ruling)) {
            made.ifPresent(rules::remove);
            requirePending(store.settled(id));
        }
        return store.settled(id);
    }

    private static void requireScopes(Caller caller, Decision decision) {
        if (!caller.may(Scope.APPROVE)) {
            throw new Refusal(
                    Reason.FORBIDDEN,
                    "This key may not decide on calls, its own included. Ask a person whose key has the scope approve.");
        }
        if (decision.approve()
                && decision.scope() == Approval.Scope.ALWAYS
                && !caller.may(Scope.ADMIN)) {
            throw new Refusal(
                    Reason.FORBIDDEN,
                    "Always is a rule of the policy, and only a key with the scope admin changes rules. Approve it once or for the run, or ask for such a key.");
        }
    }

    private static void requirePending(Approval approval) {
        if (approval.state() != State.PENDING) {
            throw new Refusal(
                    Reason.CONFLICT,
                    "This approval is %s already%s."
                            .formatted(
                                    approval.state().word(),
                                    approval.decision().map(one -> ", by " + one.by()).orElse("")),
                    Map.of(Refusal.RETRYABLE, false, "state", approval.state().word()));
        }
    }

    /// The rule that a decision for always makes. It comes before all other stored ones: one of
    /// them may be the one that asks.
    private Optional<String> rule(Caller caller, Approval approval, Decision decision) {
        var bound = approval.bound();
        switch (decision.scope()) {
            case ONCE -> {
                return Optional.empty();
            }
            case RUN -> {
                if (bound.executionId().isEmpty()) {
                    throw impossible(
                            "No run makes this call, so it cannot be approved for one. Approve it once or always.");
                }
                return Optional.empty();
            }
            case ALWAYS -> {}
        }
        if (approval.isFixed()) {
            throw impossible(
                    "The rule %s of the policy's file asks, and no stored rule comes before it. Approve it once, or change the file."
                            .formatted(approval.details().path("rule").asString("")));
        }
        var arguments = approval.details().path("arguments");
        if (decision.arguments() && !arguments.isObject()) {
            throw impossible(
                    "These arguments are too large for a rule. Approve it without them, or once.");
        }
        var name = name(approval);
        var rule = Json.object().put("name", name);
        var when =
                rule.putObject("when")
                        .put("caller", bound.caller())
                        .put("server", bound.server())
                        .put("tool", bound.tool());
        if (decision.arguments()) {
            when.putObject("arguments").set("const", arguments);
        }
        rule.put("decide", "allow")
                .put("reason", "Approved always by %s.".formatted(caller.name()));
        rules.put(name, rule, OptionalInt.of(1), caller.name());
        return Optional.of(name);
    }

    private static String name(Approval approval) {
        var bound = approval.bound();
        var text =
                "approved %s: %s %s"
                        .formatted(
                                approval.id().substring(approval.id().length() - 8),
                                bound.server(),
                                bound.tool())
                        .replace('/', ' ');
        return text.length() <= RuleReader.NAME_MAX ? text : text.substring(0, RuleReader.NAME_MAX);
    }

    private static Refusal impossible(String sentence) {
        return new Refusal(Reason.INVALID_ARGUMENT, sentence, Map.of("parameter", "scope"));
    }
}

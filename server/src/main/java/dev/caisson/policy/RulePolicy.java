package dev.caisson.policy;

import dev.caisson.broker.ActionRequest;
import dev.caisson.broker.ApprovalNeed;
import dev.caisson.broker.CallPolicy;
import dev.caisson.broker.CallRecorder;
import dev.caisson.broker.RecordedCall;
import dev.caisson.broker.ToolOrigin;
import dev.caisson.broker.ToolResult;
import dev.caisson.call.Call;
import dev.caisson.call.Caller;
import dev.caisson.call.Judgement;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.ToolErrorType;
import dev.caisson.policy.PlacedRule.Source;
import dev.caisson.store.Store;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Policy by rules: the first that matches a call decides it, whatever its door. It judges calls of
/// tools; for anything else a key needs a scope.
public final class RulePolicy implements CallPolicy {
    /// So many rules that may decide are named.
    private static final int NAMED_MAX = 5;

    private final Rules rules;
    private final UseCounters counters;

    public RulePolicy(Rules rules, Store store, Clock clock) {
        this.rules = rules;
        this.counters = new UseCounters(store, clock);
    }

    /// Counts what calls gave.
    ///
    /// @param next is told of every call
    public CallRecorder counting(CallRecorder next) {
        return new CallRecorder() {
            @Override
            public void begins(Call call, ActionRequest request) {
                next.begins(call, request);
            }

            @Override
            public void record(RecordedCall call) {
                call.notes()
                        .judgement()
                        .flatMap(judged -> limited(judged.rule()))
                        .ifPresent(rule ->
                                call.notes()
                                        .awaits(
                                                counters.gave(
                                                        call.caller().id(), rule, bytes(call))));
                next.record(call);
            }
        };
    }

    private Optional<Rule> limited(String name) {
        return rules.now().rules().stream()
                .map(PlacedRule::rule)
                .filter(rule -> !rule.limits().isEmpty() && rule.name().equals(name))
                .findFirst();
    }

    private static long bytes(RecordedCall call) {
        return call.notes().handedOutBytes() + call.result().map(ToolResult::bytes).orElse(0L);
    }

    @Override
    public Optional<ApprovalNeed> check(Call call, ActionRequest action) {
        if (action.origin().isEmpty()) {
            return Optional.empty();
        }
        var tool = action.origin().get();
        var now = rules.now();
        var evaluation =
                now.evaluate(
                        Subject.of(
                                call.caller(),
                                tool,
                                Optional.of(call.door()),
                                Optional.of(action.arguments())));
        var rule = evaluation.possible().getFirst().rule();
        call.notes().judged(new Judgement(now.version(), rule.name()));
        if (evaluation.deciding().isEmpty()) {
            throw denied(
                    tool,
                    rule,
                    "its arguments take too much effort to judge by the rule " + rule.name(),
                    "Make them smaller or simpler.");
        }
        return switch (rule.decide()) {
            case ALLOW -> {
                count(call, rule);
                yield Optional.empty();
            }
            case ASK ->
                    Optional.of(
                            new ApprovalNeed(
                                    rule.name(),
                                    evaluation.possible().getFirst().source() == Source.FILE,
                                    rule.reason(),
                                    rule.expires()));
            case DENY ->
                    throw denied(
                            tool,
                            rule,
                            "the rule " + rule.name() + " of the policy denies it" + reason(rule),
                            "An operator can change the policy.");
        };
    }

    @Override
    public void approved(Call call, ApprovalNeed need) {
        limited(need.rule()).ifPresent(rule -> count(call, rule));
    }

    private void count(Call call, Rule rule) {
        if (!rule.limits().isEmpty()) {
            call.notes().awaits(counters.take(call.caller().id(), rule));
        }
    }

    private static String reason(Rule rule) {
        return rule.reason()
                .map(why -> ", because: " + why.strip().replaceAll("\\.$", ""))
                .orElse("");
    }

    private static Refusal denied(ToolOrigin tool, Rule rule, String why, String remedy) {
        return Refusal.of(
                ToolErrorType.DENIED,
                Reason.DENIED,
                "%s may not be called: %s. %s".formatted(tool.ledgerName(), why, remedy),
                Map.of(
                        "tool",
                        tool.ledgerName(),
                        "effect",
                        tool.effect().word(),
                        "rule",
                        rule.name()));
    }

    @Override
    public Outlook outlook(Caller caller, ToolOrigin tool) {
        var subject = Subject.of(caller, tool, Optional.empty(), Optional.empty());
        var evaluation = rules.now().evaluate(subject);
        var names = evaluation.possible().stream().map(one -> one.rule().name()).toList();
        var verdict = evaluation.decision().map(RulePolicy::verdict).orElse(Verdict.DEPENDS);
        return new Outlook(
                verdict,
                Optional.of(listed(names)),
                verdict == Verdict.DEPENDS
                        ? Optional.of(evaluation.dependsOn(subject))
                        : Optional.empty());
    }

    private static String listed(List<String> names) {
        var named = String.join(" or ", names.subList(0, Math.min(NAMED_MAX, names.size())));
        return names.size() > NAMED_MAX ? named + " or others" : named;
    }

    private static Verdict verdict(Decision decision) {
        return switch (decision) {
            case ALLOW -> Verdict.ALLOW;
            case ASK -> Verdict.ASK;
            case DENY -> Verdict.DENY;
        };
    }

    /// Forgets what is counted no more.
    ///
    /// @return how many counters
    public int sweep() {
        return counters.sweep();
    }
}

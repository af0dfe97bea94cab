package dev.caisson.actions;

import dev.caisson.broker.ActionRequest;
import dev.caisson.broker.Broker;
import dev.caisson.call.Call;
import dev.caisson.call.Caller;
import dev.caisson.call.Door;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Scope;
import dev.caisson.json.Json;
import dev.caisson.policy.AllowList;
import dev.caisson.policy.CallHistory;
import dev.caisson.policy.Explanation;
import dev.caisson.policy.HistoryWalk;
import dev.caisson.policy.Replaced;
import dev.caisson.policy.Rule;
import dev.caisson.policy.RuleTrial;
import dev.caisson.policy.Rules;
import dev.caisson.policy.StandingRule;
import dev.caisson.policy.Subject;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/// Changes of the rules of the policy, and questions about them.
public final class PolicyActions {
    private static final String RULE = "rule";

    private final Broker broker;
    private final Rules rules;
    private final CallHistory history;
    private final CalledTools tools;
    private final CallerSearch callers;
    private final Clock clock;

    /// @param tools that questions are about
    public PolicyActions(
            Broker broker,
            Rules rules,
            CallHistory history,
            CalledTools tools,
            CallerSearch callers,
            Clock clock) {
        this.broker = broker;
        this.rules = rules;
        this.history = history;
        this.tools = tools;
        this.callers = callers;
        this.clock = clock;
    }

    /// The callers there are.
    @FunctionalInterface
    public interface CallerSearch {
        /// Those of this name or id.
        List<Caller> named(String nameOrId);
    }

    /// Does work that comes in steps, until there are no more.
    @FunctionalInterface
    public interface Stepping {
        Stepping AT_ONCE =
                next -> {
                    while (next.getAsBoolean()) {
                        if (Thread.interrupted()) {
                            throw new InterruptedException();
                        }
                    }
                };

        void all(BooleanSupplier next) throws InterruptedException;
    }

    /// What is in force.
    ///
    /// @param problems what is wrong with the file or with stored rules
    public record Standing(String version, List<StandingRule> rules, List<String> problems) {
        public Standing {
            rules = List.copyOf(rules);
            problems = List.copyOf(problems);
        }
    }

    /// A question what becomes of a call.
    ///
    /// @param key the name or the id of the key that makes it; absent for the one that asks
    /// @param call such as `github/create_issue`
    /// @param arguments absent where they are not known, and so is the door
    public record Question(
            Optional<String> key,
            String call,
            Optional<ObjectNode> arguments,
            Optional<Door> door) {}

    public Standing list(Call call) throws InterruptedException {
        return broker.act(
                call,
                ActionRequest.read("policy_list", Json.object()),
                _ -> new Standing(rules.now().version(), rules.standing(), rules.mistakes()));
    }

    /// Stores a rule, in place of the one of that name.
    ///
    /// @param rule as it was written, without its name
    /// @param position among the stored rules, from 1
    public StandingRule put(Call call, String name, ObjectNode rule, OptionalInt position)
            throws InterruptedException {
        var given = Json.object().put("name", name);
        given.set(RULE, rule);
        position.ifPresent(place -> given.put("position", place));
        return broker.act(
                call,
                ActionRequest.change("policy_rule_set", given),
                _ -> {
                    var named = Json.object().put("name", name);
                    named.setAll(rule);
                    rules.put(name, named, position, call.caller().name());
                    return rules.standing().stream()
                            .filter(one -> one.placed().rule().name().equals(name))
                            .findFirst()
                            .orElseThrow(() ->
                                    new Refusal(
                                            Reason.CHANGED,
                                            "The rule was stored and is there no more: somebody removed it."));
                });
    }

    public void remove(Call call, String name) throws InterruptedException {
        broker.act(
                call,
                ActionRequest.change("policy_rule_remove", Json.object().put("name", name)),
                _ -> {
                    rules.remove(name);
                    return name;
                });
    }

    /// What becomes of a call, and why. Any caller may ask about its own calls, and hears what a
    /// refusal would tell it; all rules, and other keys, are for those with the scope `admin`.
    public Explanation explain(Call call, Question question) throws InterruptedException {
        var given = Json.object().put("call", question.call());
        question.key().ifPresent(key -> given.put("key", key));
        question.arguments().ifPresent(arguments -> given.set("arguments", arguments));
        return broker.act(
                call,
                ActionRequest.read("policy_explain", given),
                _ -> {
                    var caller = caller(call.caller(), question.key());
                    var asked = tools.find(caller, question.call(), question.arguments());
                    var explained =
                            rules.now()
                                    .explain(
                                            Subject.of(
                                                    caller,
                                                    asked.origin(),
                                                    question.door(),
                                                    asked.arguments()));
                    return call.caller().may(Scope.ADMIN) ? explained : explained.toCaller();
                });
    }

    private Caller caller(Caller asking, Optional<String> key) {
        if (key.isEmpty()) {
            return asking;
        }
        if (!asking.may(Scope.ADMIN)) {
            throw new Refusal(
                    Reason.FORBIDDEN,
                    "This needs a key with the scope admin: only that may ask about other keys. Leave key out to ask about your own.",
                    Map.of("scopes", List.of(Scope.ADMIN.word())));
        }
        var named = callers.named(key.get());
        if (named.size() != 1) {
            throw new Refusal(
                    Reason.NOT_FOUND,
                    named.isEmpty()
                            ? "There is no key of this name or id. `caisson key list` and GET /v1/keys have them."
                            : "Several keys have this name. Give the id of one; `caisson key list` and GET /v1/keys have them.",
                    Map.of("parameter", "key"));
        }
        return named.getFirst();
    }

    /// Judges recorded calls by other rules.
    ///
    /// @param others read when this is on record
    public RuleTrial.Report test(
            Call call, Supplier<List<Rule>> others, Replaced replaced, int days, Stepping steps)
            throws InterruptedException {
        return broker.act(
                call,
                ActionRequest.read("policy_test", Json.object().put("days", days)),
                _ -> {
                    var trial =
                            new RuleTrial(
                                    rules.now(),
                                    rules.with(others.get(), replaced),
                                    history.since(since(days)));
                    steps.all(trial::next);
                    return trial.report();
                });
    }

    /// The smallest set of rules that allows what was used.
    ///
    /// @param refused whether calls count that were refused
    public AllowList.Suggestion suggest(Call call, int days, boolean refused, Stepping steps)
            throws InterruptedException {
        return broker.act(
                call,
                ActionRequest.read(
                        "policy_suggest", Json.object().put("days", days).put("refused", refused)),
                _ -> {
                    var list = new AllowList(history.since(since(days)), refused);
                    steps.all(list::next);
                    return list.suggestion();
                });
    }

    private Instant since(int days) {
        if (days < 1 || days > HistoryWalk.DAYS_MAX) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "days is 1 to %d.".formatted(HistoryWalk.DAYS_MAX),
                    Map.of("parameter", "days"));
        }
        return clock.instant().minus(Duration.ofDays(days));
    }
}

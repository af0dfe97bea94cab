package dev.caisson.policy;

import dev.caisson.broker.ToolEffect;
import dev.caisson.call.Door;
import dev.caisson.json.Describe;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Answers about the rules of the policy, as doors give them.
public final class PolicyAnswers {
    private PolicyAnswers() {}

    public record PolicyRule(
            String name,
            @Describe("file: it stands in the file of policy.file and is changed only there.")
                    PlacedRule.Source source,
            @Describe("As it was written.") RuleBody rule,
            @Describe("The key that stored it.") Optional<String> madeBy,
            Optional<String> createdAt,
            @Describe("Whether it can be read; one that cannot denies every call.")
                    boolean usable) {
        public static PolicyRule of(StandingRule standing) {
            var rule = standing.placed().rule();
            return new PolicyRule(
                    rule.name(),
                    standing.placed().source(),
                    rule.body(),
                    standing.madeBy(),
                    standing.made().map(Instant::toString),
                    standing.usable());
        }
    }

    public record PolicyRuleList(
            @Describe("Of the rules: records of calls have it.") String version,
            @Describe("In the order in which they are asked.") List<PolicyRule> rules,
            @Describe("What is wrong with the file or with stored rules.") List<String> problems,
            Optional<String> nextCursor) {}

    public record RuleExplained(
            String name,
            PlacedRule.Source source,
            Decision decide,
            Match matches,
            @Describe("Why it does not match, or may not.") List<String> because,
            @Describe("Whether it is the first that certainly matches.") boolean decides) {
        static RuleExplained of(ExplainedRule one) {
            var rule = one.placed().rule();
            return new RuleExplained(
                    rule.name(),
                    one.placed().source(),
                    rule.decide(),
                    one.match(),
                    one.because(),
                    one.decides());
        }
    }

    public record CallExplained(
            @Describe("Null where it depends on arguments or a door that were not given.")
                    Optional<Decision> decision,
            @Describe("The rule that decides.") Optional<String> rule,
            @Describe("What that rule says why.") Optional<String> reason,
            @Describe("The version of the rules.") String version,
            @Describe("For a key without the scope admin: those that may decide.")
                    List<RuleExplained> rules) {
        public static CallExplained of(Explanation explanation) {
            var deciding = explanation.deciding().map(ExplainedRule::placed).map(PlacedRule::rule);
            return new CallExplained(
                    explanation.decision(),
                    deciding.map(Rule::name),
                    deciding.flatMap(Rule::reason),
                    explanation.version(),
                    explanation.rules().stream().map(RuleExplained::of).toList());
        }
    }

    public record CallJudged(
            @Describe("Null where it depends on what was not kept of the call.")
                    Optional<Decision> decision,
            @Describe("Those that may decide, in their order.") List<String> rules) {
        static CallJudged of(RuleTrial.Judged judged) {
            return new CallJudged(judged.decision(), judged.rules());
        }
    }

    public record JudgedCalls(
            @Describe("The id of the key.") String caller,
            @Describe("Null for a key that is gone.") Optional<String> callerName,
            @Describe("Such as github/create_issue.") String tool,
            ToolEffect effect,
            @Describe("Of the last of these calls.") Optional<Door> door,
            @Describe("By the rules in force.") CallJudged now,
            @Describe("By the rules that were tried.") CallJudged then,
            int calls,
            String lastAt,
            @Describe("The id of the last of these calls.") String callId,
            Optional<String> executionId) {
        static JudgedCalls of(RuleTrial.Group group) {
            var subject = group.last().subject();
            return new JudgedCalls(
                    subject.callerId(),
                    subject.callerName(),
                    subject.server() + "/" + subject.tool(),
                    subject.effect(),
                    subject.door(),
                    CallJudged.of(group.before()),
                    CallJudged.of(group.after()),
                    group.calls(),
                    group.last().at().toString(),
                    group.last().id(),
                    group.last().executionId());
        }
    }

    public record CallsLookedAt(
            int calls,
            @Describe("When the oldest of them began.") Optional<String> oldestAt,
            @Describe("Whether these are all: 10,000 are looked at, in 20 s.") boolean complete) {
        static CallsLookedAt of(HistoryWalk.Reach reach) {
            return new CallsLookedAt(
                    reach.calls(), reach.oldest().map(Instant::toString), reach.complete());
        }
    }

    public record PolicyTest(
            @Describe("Of the rules that were tried.") String version,
            CallsLookedAt lookedAt,
            @Describe("How many calls would be decided otherwise.") int changed,
            @Describe("Of how many calls too little was kept to say.") int undecidable,
            @Describe("Calls of one key, tool and change together; the most first, up to 500.")
                    List<JudgedCalls> changes,
            @Describe("The same of those that are undecidable.") List<JudgedCalls> undecided,
            @Describe("Whether there are more than are listed.") boolean more) {
        public static PolicyTest of(RuleTrial.Report report) {
            return new PolicyTest(
                    report.version(),
                    CallsLookedAt.of(report.reach()),
                    report.changed(),
                    report.undecidable(),
                    report.changes().stream().map(JudgedCalls::of).toList(),
                    report.undecided().stream().map(JudgedCalls::of).toList(),
                    report.cut());
        }
    }

    public record PolicySuggestion(
            @Describe("One for each key and tool; give them names of your own.")
                    List<RuleBody> rules,
            CallsLookedAt lookedAt,
            @Describe("Whether more would be needed than there may be.") boolean more) {
        public static PolicySuggestion of(AllowList.Suggestion suggestion) {
            return new PolicySuggestion(
                    suggestion.rules(), CallsLookedAt.of(suggestion.reach()), suggestion.cut());
        }
    }
}

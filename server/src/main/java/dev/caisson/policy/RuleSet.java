package dev.caisson.policy;

import dev.caisson.broker.ToolEffect;
import dev.caisson.broker.ToolOrigin;
import dev.caisson.call.Digests;
import dev.caisson.call.Glob;
import dev.caisson.json.Json;
import dev.caisson.json.Records;
import dev.caisson.policy.PlacedRule.Source;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Rules in force, in the order in which they are asked: those of the file, of the database, and
/// the defaults. The first that matches a call decides it. A pure function of the rules and the
/// call.
public final class RuleSet {
    /// How long the conditions on arguments of one call may take together. What is not judged by
    /// then, and behind a condition that takes too much effort itself, is not known; such a call is
    /// denied.
    static final Duration EFFORT_MAX = Duration.ofSeconds(2);

    /// Our own tools are allowed.
    static final String DEFAULT_OWN = RuleReader.RESERVED + " own";

    /// Tools of other servers that change nothing are allowed.
    static final String DEFAULT_READ = RuleReader.RESERVED + " read";

    /// All other tools.
    static final String DEFAULT_REST = RuleReader.RESERVED;

    private static final int VERSION_DIGITS = 16;

    private final List<PlacedRule> rules;
    private final String version;

    /// @param rest what becomes of calls that no rule decides
    public RuleSet(List<Rule> file, List<Rule> database, Decision rest) {
        this.rules =
                Stream.of(
                                placed(Source.FILE, file),
                                placed(Source.DATABASE, database),
                                placed(Source.DEFAULT, defaults(rest)))
                        .flatMap(List::stream)
                        .toList();
        var all = Json.array();
        rules.forEach(placed -> all.add(Records.tree(placed.rule().body())));
        this.version = Digests.sha256Hex(Json.bytes(all)).substring(0, VERSION_DIGITS);
    }

    private static List<PlacedRule> placed(Source source, List<Rule> rules) {
        return rules.stream().map(rule -> new PlacedRule(source, rule)).toList();
    }

    private static List<Rule> defaults(Decision rest) {
        return List.of(
                standing(
                        DEFAULT_OWN,
                        List.of(new Condition.ServerIs(new Glob(ToolOrigin.OWN_SERVER))),
                        Decision.ALLOW),
                standing(
                        DEFAULT_READ,
                        List.of(new Condition.EffectIn(Set.of(ToolEffect.READ))),
                        Decision.ALLOW),
                standing(DEFAULT_REST, List.of(), rest));
    }

    private static Rule standing(String name, List<Condition> when, Decision decide) {
        return new Rule(
                name,
                when,
                decide,
                Optional.empty(),
                Optional.empty(),
                List.of(),
                new RuleBody(
                        name,
                        Optional.empty(),
                        decide,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty()));
    }

    public List<PlacedRule> rules() {
        return rules;
    }

    /// Hash of the rules: equal rules have the same.
    public String version() {
        return version;
    }

    Optional<Rule> named(String name) {
        return rules.stream()
                .map(PlacedRule::rule)
                .filter(rule -> rule.name().equals(name))
                .findFirst();
    }

    Evaluation evaluate(Subject subject) {
        var possible = new ArrayList<PlacedRule>();
        long began = System.nanoTime();
        var known = subject;
        for (var placed : rules) {
            if (System.nanoTime() - began > EFFORT_MAX.toNanos()) {
                known = withoutArguments(subject);
            }
            switch (placed.rule().match(known)) {
                case YES -> {
                    possible.add(placed);
                    return new Evaluation(possible);
                }
                case UNKNOWN -> possible.add(placed);
                case TOO_MUCH -> {
                    possible.add(placed);
                    known = withoutArguments(subject);
                }
                case NO -> {}
            }
        }
        throw new IllegalStateException("the last rule matches every call");
    }

    private static Subject withoutArguments(Subject subject) {
        return new Subject(
                subject.callerId(),
                subject.callerName(),
                subject.server(),
                subject.tool(),
                subject.effect(),
                subject.trusted(),
                subject.door(),
                Optional.empty());
    }

    /// Every rule in its order, with why it matches or not.
    public Explanation explain(Subject subject) {
        var explained = new ArrayList<ExplainedRule>();
        long began = System.nanoTime();
        var known = subject;
        boolean decided = false;
        for (var placed : rules) {
            if (System.nanoTime() - began > EFFORT_MAX.toNanos()) {
                known = withoutArguments(subject);
            }
            var match = placed.rule().match(known);
            var because = match == Match.YES ? List.<String>of() : because(placed.rule(), known);
            var decides = !decided && match == Match.YES;
            decided |= decides;
            explained.add(new ExplainedRule(placed, match, because, decides));
            if (match == Match.TOO_MUCH) {
                known = withoutArguments(subject);
            }
        }
        return new Explanation(version, explained);
    }

    private static List<String> because(Rule rule, Subject subject) {
        var because = new ArrayList<String>();
        for (var condition : rule.when()) {
            switch (condition.of(subject)) {
                case NO -> because.add(condition.member() + " " + condition.wanted());
                case UNKNOWN -> Condition.missing(condition).ifPresent(because::add);
                case TOO_MUCH -> because.add("the arguments take too much effort to judge");
                case YES -> {}
            }
        }
        return because;
    }
}

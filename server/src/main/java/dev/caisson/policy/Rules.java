package dev.caisson.policy;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.policy.PlacedRule.Source;
import dev.caisson.store.Store;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// Rules of this server: those of the file and those of the database, put together. What this
/// process changes is in force at once; what another one changes, and the file, is seen within a
/// second, by [PolicyWatch].
///
/// A rule of the file hides one of the database of the same name.
public final class Rules {
    private static final Logger LOG = LoggerFactory.getLogger(Rules.class);

    /// Why a rule that nobody can read denies.
    private static final String UNREADABLE = "This rule cannot be read.";

    private final Store store;
    private final Clock clock;
    private final Decision rest;
    private List<Rule> file = List.of();
    private List<String> fileProblems = List.of();
    private List<RuleRows.Stored> stored = List.of();
    private List<Long> revisions = List.of();
    private volatile State state;

    /// Rules in force, and what keeps others from being so.
    ///
    /// @param problems of the file, or of stored rules
    /// @param made by whom and when the rules of the database were made, by name
    record State(RuleSet rules, List<String> problems, Map<String, RuleRows.Stored> made) {
        private StandingRule standing(PlacedRule placed) {
            var stored =
                    placed.source() == Source.DATABASE
                            ? Optional.ofNullable(made.get(placed.rule().name()))
                            : Optional.<RuleRows.Stored>empty();
            return new StandingRule(
                    placed,
                    stored.map(RuleRows.Stored::by),
                    stored.map(RuleRows.Stored::made),
                    placed.rule().reason().filter(UNREADABLE::equals).isEmpty());
        }
    }

    /// @param rest what becomes of calls that no rule decides
    public Rules(Store store, Clock clock, Decision rest) {
        this.store = store;
        this.clock = clock;
        this.rest = rest;
        this.state = new State(new RuleSet(List.of(), List.of(), rest), List.of(), Map.of());
        refresh();
    }

    State state() {
        return state;
    }

    /// What is in force.
    public RuleSet now() {
        return state.rules();
    }

    /// How much is wrong with the file or with stored rules.
    public int problems() {
        return state.problems().size();
    }

    /// What becomes of calls that no rule decides.
    public Decision rest() {
        return rest;
    }

    /// What is wrong with the file or with stored rules.
    public List<String> mistakes() {
        return state.problems();
    }

    /// The rules in force, with who made them.
    public List<StandingRule> standing() {
        var now = state;
        return now.rules().rules().stream().map(now::standing).toList();
    }

    /// The rules in force if others stood in the place of some.
    public synchronized RuleSet with(List<Rule> others, Replaced replaced) {
        return switch (replaced) {
            case FILE -> new RuleSet(others, effective(others, new ArrayList<>()), rest);
            case DATABASE -> new RuleSet(file, others, rest);
            case ALL -> new RuleSet(others, List.of(), rest);
        };
    }

    /// Takes over the rules of the file.
    synchronized void take(List<Rule> rules) {
        file = List.copyOf(rules);
        fileProblems = List.of();
        publish();
    }

    /// The file has mistakes: its last good rules stay.
    synchronized void keepFile(List<String> problems) {
        fileProblems = List.copyOf(problems);
        publish();
    }

    /// Reads what was stored since, by whichever process.
    void refresh() {
        var now = store.read(RuleRows::revisions);
        synchronized (this) {
            if (now.equals(revisions)) {
                return;
            }
            stored = store.read(RuleRows::all);
            revisions = now;
            publish();
        }
    }

    private synchronized void publish() {
        var problems = new ArrayList<>(fileProblems);
        var before = state.rules().version();
        var made = new HashMap<String, RuleRows.Stored>();
        stored.forEach(one -> made.put(one.name(), one));
        state =
                new State(
                        new RuleSet(file, effective(file, problems), rest),
                        List.copyOf(problems),
                        Map.copyOf(made));
        if (!before.equals(state.rules().version())) {
            LOG.info("the policy has {} rules, version {}", size(), state.rules().version());
        }
    }

    private int size() {
        return state.rules().rules().size();
    }

    private synchronized List<Rule> effective(List<Rule> first, List<String> problems) {
        var taken = first.stream().map(Rule::name).collect(Collectors.toSet());
        var rules = new ArrayList<Rule>();
        for (var one : stored) {
            if (taken.contains(one.name())) {
                problems.add(
                        "The stored rule %s is hidden by the rule of that name in the file."
                                .formatted(one.name()));
                continue;
            }
            try {
                rules.add(RuleReader.read(one.rule()));
            } catch (RuleMistakes wrong) {
                rules.add(unreadable(one.name()));
                problems.add(
                        "The stored rule %s cannot be read, and denies every call until it is replaced or removed: %s"
                                .formatted(one.name(), wrong.sentences()));
            }
        }
        return rules;
    }

    /// Nobody knows what it would have denied.
    private static Rule unreadable(String name) {
        return new Rule(
                name,
                List.of(),
                Decision.DENY,
                Optional.of(UNREADABLE),
                Optional.empty(),
                List.of(),
                new RuleBody(
                        name,
                        Optional.empty(),
                        Decision.DENY,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty()));
    }

    /// Stores a rule, in place of the one of that name.
    ///
    /// @param position among the rules of the database, from 1; where absent, a new one comes last
    ///   and another stays
    /// @param by the name of whoever stores it
    /// @throws Refusal INVALID_ARGUMENT with every mistake; CONFLICT when the file has one of that
    ///   name, or there are too many
    public void put(String name, ObjectNode written, OptionalInt position, String by) {
        var rule = read(name, written);
        requireNotInFile(name);
        store.write(handle -> {
            var names =
                    new ArrayList<>(
                            RuleRows.all(handle).stream().map(RuleRows.Stored::name).toList());
            int before = names.indexOf(name);
            if (before < 0 && names.size() >= PolicyFile.RULES_MAX) {
                throw new Refusal(
                        Reason.INVALID_ARGUMENT,
                        "There are %d stored rules already, the most there can be. Remove one first."
                                .formatted(PolicyFile.RULES_MAX));
            }
            names.remove(name);
            int at =
                    position.isPresent()
                            ? Math.clamp(position.getAsInt() - 1L, 0, names.size())
                            : before < 0 ? names.size() : before;
            names.add(at, name);
            RuleRows.put(handle, RuleRows.Stored.of(rule, by, clock.instant()));
            RuleRows.order(handle, names);
            return name;
        });
        refresh();
    }

    private static Rule read(String name, ObjectNode written) {
        try {
            var rule = RuleReader.read(written);
            if (!rule.name().equals(name)) {
                throw new Refusal(
                        Reason.INVALID_ARGUMENT,
                        "The member name of the rule is not the name it is to be stored by.");
            }
            return rule;
        } catch (RuleMistakes wrong) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "The rule cannot be used. " + wrong.sentences(),
                    Map.of("complaints", wrong.each()));
        }
    }

    private synchronized void requireNotInFile(String name) {
        if (file.stream().anyMatch(rule -> rule.name().equals(name))) {
            throw new Refusal(
                    Reason.CONFLICT,
                    "The file of policy.file has a rule of this name. Change it there, or use another name.",
                    Map.of(Refusal.RETRYABLE, false));
        }
    }

    /// @throws Refusal NOT_FOUND when the database has none of that name
    public void remove(String name) {
        store.write(handle -> {
            var names =
                    new ArrayList<>(
                            RuleRows.all(handle).stream().map(RuleRows.Stored::name).toList());
            if (!names.remove(name)) {
                throw new Refusal(
                        Reason.NOT_FOUND,
                        "No rule of this name is stored. `caisson policy list` and GET /v1/policy have them; those of the file are changed there.");
            }
            RuleRows.delete(handle, name);
            RuleRows.order(handle, names);
            return name;
        });
        refresh();
    }
}

package dev.caisson.policy;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Trial of rules: judges recorded calls by them and by those in force, and tells what would
/// change. Calls of one key, tool and change are told together.
public final class RuleTrial {
    /// How many kinds of changes are told.
    static final int GROUPS_MAX = 500;

    private final RuleSet now;
    private final RuleSet other;
    private final HistoryWalk walk;
    private final Map<Kind, Group> changes = new LinkedHashMap<>();
    private final Map<Kind, Group> undecided = new LinkedHashMap<>();
    private int changed;
    private int undecidable;
    private boolean cut;

    /// @param now the rules in force
    public RuleTrial(RuleSet now, RuleSet other, CallHistory.Pages calls) {
        this.now = now;
        this.other = other;
        this.walk = new HistoryWalk(calls, this::judge);
    }

    /// What becomes of a call.
    ///
    /// @param decision empty where it depends on what was not kept of the call
    /// @param rules those that decide it; several where they agree, or where it depends
    public record Judged(Optional<Decision> decision, List<String> rules) {
        public Judged {
            rules = List.copyOf(rules);
        }
    }

    /// Calls of one key and tool with the same change.
    ///
    /// @param last the last of them
    public record Group(PastCall last, Judged before, Judged after, int calls) {}

    /// @param version of the rules that were tried
    /// @param changed how many calls would be decided otherwise
    /// @param undecidable of how many too little was kept to say
    /// @param cut whether there are more kinds than are told
    public record Report(
            String version,
            HistoryWalk.Reach reach,
            int changed,
            int undecidable,
            List<Group> changes,
            List<Group> undecided,
            boolean cut) {}

    private record Kind(String caller, String server, String tool, Judged before, Judged after) {}

    /// Does a part of it.
    ///
    /// @return whether there is more
    public boolean next() {
        return walk.next();
    }

    public Report report() {
        return new Report(
                other.version(),
                walk.reach(),
                changed,
                undecidable,
                sorted(changes),
                sorted(undecided),
                cut);
    }

    private static List<Group> sorted(Map<Kind, Group> groups) {
        return groups.values().stream()
                .sorted(Comparator.comparingInt(Group::calls).reversed())
                .toList();
    }

    private void judge(PastCall call) {
        var before = judged(now, call);
        var after = judged(other, call);
        if (before.decision().isEmpty() || after.decision().isEmpty()) {
            if (!sameRules(before, after)) {
                undecidable++;
                add(undecided, call, before, after);
            }
        } else if (!before.decision().equals(after.decision())) {
            changed++;
            add(changes, call, before, after);
        }
    }

    /// Whether the same rules may decide.
    private boolean sameRules(Judged before, Judged after) {
        return before.equals(after)
                && before.rules().stream()
                        .allMatch(name ->
                                now.named(name)
                                        .map(Rule::body)
                                        .equals(other.named(name).map(Rule::body)));
    }

    /// Rules in force that judged it then decide as they did.
    private static Judged judged(RuleSet rules, PastCall call) {
        var known =
                call.judgement()
                        .filter(judgement -> judgement.policy().equals(rules.version()))
                        .flatMap(judgement -> rules.named(judgement.rule()));
        if (known.isPresent()) {
            return new Judged(Optional.of(known.get().decide()), List.of(known.get().name()));
        }
        var evaluation = rules.evaluate(call.subject());
        return new Judged(
                evaluation.decision(),
                evaluation.possible().stream().map(one -> one.rule().name()).toList());
    }

    private void add(Map<Kind, Group> groups, PastCall call, Judged before, Judged after) {
        var subject = call.subject();
        var kind = new Kind(subject.callerId(), subject.server(), subject.tool(), before, after);
        if (!groups.containsKey(kind) && groups.size() >= GROUPS_MAX) {
            cut = true;
            return;
        }
        groups.merge(
                kind,
                new Group(call, before, after, 1),
                (first, _) -> new Group(first.last(), before, after, first.calls() + 1));
    }
}

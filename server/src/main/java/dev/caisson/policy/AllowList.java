package dev.caisson.policy;

import dev.caisson.broker.ToolEffect;
import dev.caisson.policy.RuleBody.WhenBody;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Allow list made of recorded calls: the smallest set of rules that allows what was used, which is
/// one for each key and tool. What changes nothing is allowed anyway and needs none.
public final class AllowList {
    private final HistoryWalk walk;
    private final boolean refused;
    private final Map<Use, Integer> uses = new LinkedHashMap<>();
    private boolean cut;

    /// @param refused whether calls count that were refused
    public AllowList(CallHistory.Pages calls, boolean refused) {
        this.walk = new HistoryWalk(calls, this::count);
        this.refused = refused;
    }

    private record Use(String caller, Optional<String> name, String server, String tool) {}

    /// @param rules that need no more than a name of one's own
    /// @param cut whether more would be needed than there may be
    public record Suggestion(HistoryWalk.Reach reach, List<RuleBody> rules, boolean cut) {}

    /// Does a part of it.
    ///
    /// @return whether there is more
    public boolean next() {
        return walk.next();
    }

    private void count(PastCall call) {
        var subject = call.subject();
        if (subject.effect() == ToolEffect.READ || !(call.made() || refused)) {
            return;
        }
        var use =
                new Use(subject.callerId(), subject.callerName(), subject.server(), subject.tool());
        if (!uses.containsKey(use) && uses.size() >= PolicyFile.RULES_MAX) {
            cut = true;
            return;
        }
        uses.merge(use, 1, Integer::sum);
    }

    public Suggestion suggestion() {
        var all =
                uses.keySet().stream()
                        .sorted(
                                Comparator.comparing(Use::caller)
                                        .thenComparing(Use::server)
                                        .thenComparing(Use::tool))
                        .toList();
        var rules = new ArrayList<RuleBody>();
        for (var use : all) {
            rules.add(rule(rules.size() + 1, use));
        }
        return new Suggestion(walk.reach(), rules, cut);
    }

    private RuleBody rule(int number, Use use) {
        int calls = uses.getOrDefault(use, 0);
        return new RuleBody(
                name(number, use),
                Optional.of(
                        new WhenBody(
                                Optional.of(use.caller()),
                                Optional.of(use.server()),
                                Optional.of(use.tool()),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty())),
                Decision.ALLOW,
                Optional.of(
                        "%s by %s, %d %s."
                                .formatted(
                                        refused ? "Asked for" : "Used",
                                        use.name().orElse(use.caller()),
                                        calls,
                                        calls == 1 ? "time" : "times")),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /// Names of tools may be longer than those of rules, and have other characters.
    private static String name(int number, Use use) {
        var text = "used %d: %s %s".formatted(number, use.server(), use.tool()).replace('/', ' ');
        return text.length() <= RuleReader.NAME_MAX ? text : text.substring(0, RuleReader.NAME_MAX);
    }
}

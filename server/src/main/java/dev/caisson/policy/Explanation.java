package dev.caisson.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Explanation of what becomes of a call by the rules in force.
///
/// @param version of the rules
/// @param rules all of them in their order, or those that a caller may see
public record Explanation(String version, List<ExplainedRule> rules) {
    public Explanation {
        rules = List.copyOf(rules);
    }

    /// Those that may decide: usually one, more where too little is known of the call.
    private List<ExplainedRule> possible() {
        var possible = new ArrayList<ExplainedRule>();
        for (var one : rules) {
            if (one.match() != Match.NO) {
                possible.add(one);
            }
            if (one.decides()) {
                break;
            }
        }
        return possible;
    }

    /// What becomes of the call; empty where it depends on what is not known of it. What takes too
    /// much effort to judge is denied.
    public Optional<Decision> decision() {
        var possible = possible();
        if (possible.stream().anyMatch(one -> one.match() == Match.TOO_MUCH)) {
            return Optional.of(Decision.DENY);
        }
        var decisions = possible.stream().map(one -> one.placed().rule().decide()).distinct();
        var each = decisions.toList();
        return each.size() == 1 ? Optional.of(each.getFirst()) : Optional.empty();
    }

    /// The rule that decides, or at which it is too much effort to go on.
    public Optional<ExplainedRule> deciding() {
        var possible = possible();
        return possible.size() == 1 || possible.getFirst().match() == Match.TOO_MUCH
                ? Optional.of(possible.getFirst())
                : Optional.empty();
    }

    /// What its caller may know of it: what it would be told by a refusal.
    public Explanation toCaller() {
        return new Explanation(version, possible());
    }
}

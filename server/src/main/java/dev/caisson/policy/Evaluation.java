package dev.caisson.policy;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Evaluation of rules on one call: those that may decide it. Usually it is one; there are more
/// where too little is known of the call, and then the last is the one that certainly matches.
///
/// @param possible in their order; never empty
record Evaluation(List<PlacedRule> possible) {
    Evaluation {
        possible = List.copyOf(possible);
    }

    /// The rule that decides, where it is known.
    Optional<PlacedRule> deciding() {
        return possible.size() == 1 ? Optional.of(possible.getFirst()) : Optional.empty();
    }

    /// What is not known of a call and may decide it, in words.
    String dependsOn(Subject subject) {
        return possible.stream()
                .flatMap(one -> one.rule().when().stream())
                .filter(condition -> condition.of(subject) == Match.UNKNOWN)
                .flatMap(condition -> Condition.subject(condition).stream())
                .distinct()
                .sorted()
                .collect(Collectors.joining(" and "));
    }

    /// What is decided, where all that may decide agree.
    Optional<Decision> decision() {
        var decisions = possible.stream().map(one -> one.rule().decide()).distinct().toList();
        return decisions.size() == 1 ? Optional.of(decisions.getFirst()) : Optional.empty();
    }
}

package dev.caisson.policy;

import java.util.List;

/// Rule with why it matches a call or not.
///
/// @param because why it does not match, or may not; empty where it does
/// @param decides whether it is the first that certainly matches
public record ExplainedRule(PlacedRule placed, Match match, List<String> because, boolean decides) {
    public ExplainedRule {
        because = List.copyOf(because);
    }
}

package dev.caisson.policy;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Rule on calls of tools: when it matches, it decides.
///
/// @param when all must hold
/// @param reason why, as callers are told
/// @param expires how long an approval may be waited for
/// @param limits on what each key may use by this rule
/// @param body as it was written
public record Rule(
        String name,
        List<Condition> when,
        Decision decide,
        Optional<String> reason,
        Optional<Duration> expires,
        List<UseLimit> limits,
        RuleBody body) {
    public Rule {
        when = List.copyOf(when);
        limits = List.copyOf(limits);
    }

    /// Conditions are asked in their order, so that what costs effort comes last.
    Match match(Subject subject) {
        var all = Match.YES;
        for (var condition : when) {
            switch (condition.of(subject)) {
                case NO -> {
                    return Match.NO;
                }
                case UNKNOWN -> all = all == Match.TOO_MUCH ? all : Match.UNKNOWN;
                case TOO_MUCH -> all = Match.TOO_MUCH;
                case YES -> {}
            }
        }
        return all;
    }
}

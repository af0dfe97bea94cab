package dev.caisson.policy;

import java.util.Locale;

/// Rule in its place among others.
public record PlacedRule(Source source, Rule rule) {
    /// Where a rule comes from, in the order in which they are asked.
    public enum Source {
        FILE,
        DATABASE,
        DEFAULT;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}

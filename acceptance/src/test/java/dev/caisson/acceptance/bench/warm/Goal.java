package dev.caisson.acceptance.bench.warm;

import java.util.Locale;

/// A figure that is aimed at, and what it is.
///
/// @param most whether it should be at most the goal; else at least
/// @param unit behind the figures; empty for ratios to the bare process
record Goal(String name, double result, double goal, boolean most, String unit) {
    static Goal atMost(String name, double result, double goal) {
        return new Goal(name, result, goal, true, "");
    }

    static Goal atMost(String name, double result, double goal, String unit) {
        return new Goal(name, result, goal, true, unit);
    }

    static Goal atLeast(String name, double result, double goal) {
        return new Goal(name, result, goal, false, "");
    }

    /// On a machine that does much else what is subtracted for that may be more than what was read.
    boolean isMeasured() {
        return Double.isFinite(result) && result > 0;
    }

    boolean isMet() {
        return isMeasured() && (most ? result <= goal : result >= goal);
    }

    String line() {
        return String.format(
                Locale.ROOT,
                "| %s | %.2f%s | %s %.2f | %s |",
                name,
                result,
                unit.isEmpty() ? "" : " " + unit,
                most ? "≤" : "≥",
                goal,
                !isMeasured() ? "not measured" : isMet() ? "met" : "**missed**");
    }
}

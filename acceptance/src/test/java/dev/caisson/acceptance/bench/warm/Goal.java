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

    boolean isMet() {
        return most ? result <= goal : result >= goal;
    }

    String line() {
        return String.format(
                Locale.ROOT,
                "%-36s %9.2f %-4s goal %s %5.2f  %s",
                name,
                result,
                unit,
                most ? "<=" : ">=",
                goal,
                isMet() ? "met" : "MISSED");
    }
}

package dev.caisson.acceptance.judge;

import java.util.List;

/// What the official suite found at one revision.
///
/// @param required every scenario the revision requires
/// @param unscored every scenario the suite runs beside those
public record Score(String revision, List<Scenario> required, List<Scenario> unscored) {
    public Score {
        required = List.copyOf(required);
        unscored = List.copyOf(unscored);
    }

    /// @param succeeded checks
    /// @param skipped checks; a scenario that skips all of them says nothing, and the suite itself
    ///   has one of those
    /// @param complaints failures and warnings, in the suite's words
    public record Scenario(String name, int succeeded, int skipped, List<String> complaints) {
        public Scenario {
            complaints = List.copyOf(complaints);
        }

        public boolean passed() {
            return complaints.isEmpty() && succeeded + skipped > 0;
        }
    }

    public boolean complete() {
        return required.stream().allMatch(Scenario::passed)
                && unscored.stream().allMatch(Scenario::passed);
    }

    public String table() {
        var lines = new StringBuilder();
        lines.append(
                "%n%s: required %s, unscored %s, %d checks%n"
                        .formatted(revision, ratio(required), ratio(unscored), checks()));
        for (var scenario : required) {
            line(lines, scenario, "required");
        }
        for (var scenario : unscored) {
            line(lines, scenario, "unscored");
        }
        return lines.toString();
    }

    private static void line(StringBuilder lines, Scenario scenario, String kind) {
        lines.append(
                "  %-6s %-48s %-9s %3d ok%s%n"
                        .formatted(
                                scenario.passed() ? "passed" : "FAILED",
                                scenario.name(),
                                kind,
                                scenario.succeeded(),
                                scenario.skipped() == 0
                                        ? ""
                                        : ", " + scenario.skipped() + " skipped"));
        scenario.complaints().forEach(one -> lines.append("         ").append(one).append('\n'));
    }

    private static String ratio(List<Scenario> scenarios) {
        return scenarios.stream().filter(Scenario::passed).count() + "/" + scenarios.size();
    }

    private int checks() {
        return required.stream().mapToInt(Scenario::succeeded).sum()
                + unscored.stream().mapToInt(Scenario::succeeded).sum();
    }
}

package dev.caisson.call;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Nearest known name for a misspelt one, by edit distance.
public final class NearName {
    private NearName() {}

    /// The known name of which this is the beginning, else the one with the fewest typing errors,
    /// if they are few.
    public static Optional<String> of(String name, List<String> known) {
        return known.stream()
                .filter(candidate -> !name.isEmpty() && candidate.startsWith(name))
                .findFirst()
                .or(() -> nearest(name, known));
    }

    private static Optional<String> nearest(String name, List<String> known) {
        return known.stream()
                .min(Comparator.comparingInt(candidate -> distance(name, candidate)))
                .filter(candidate -> distance(name, candidate) <= Math.max(2, name.length() / 4));
    }

    /// Characters to insert, delete or exchange to make one from the other.
    public static int distance(String one, String other) {
        var above = new int[other.length() + 1];
        for (int column = 0; column <= other.length(); column++) {
            above[column] = column;
        }
        for (int row = 1; row <= one.length(); row++) {
            var line = new int[other.length() + 1];
            line[0] = row;
            for (int column = 1; column <= other.length(); column++) {
                int exchange = one.charAt(row - 1) == other.charAt(column - 1) ? 0 : 1;
                line[column] =
                        Math.min(
                                Math.min(line[column - 1], above[column]) + 1,
                                above[column - 1] + exchange);
            }
            above = line;
        }
        return above[other.length()];
    }
}

package dev.caisson.ledger;

import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// Question about usage: which sums, and by what they are grouped.
///
/// @param from the first day, in UTC
/// @param to the last day
/// @param by in which order the groups stand; nothing for one sum of all
/// @param caller of whom alone, by id
/// @param tool of which alone
public record UsageQuery(
        LocalDate from,
        LocalDate to,
        List<Group> by,
        Optional<String> caller,
        Optional<String> tool) {
    /// What sums are grouped by.
    public enum Group {
        DAY,
        KEY,
        TOOL;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        String column() {
            return switch (this) {
                case DAY -> "day";
                case KEY -> "caller";
                case TOOL -> "tool";
            };
        }
    }

    public UsageQuery {
        by = List.copyOf(by);
        if (Set.copyOf(by).size() != by.size()) {
            throw new IllegalArgumentException("a group stands twice");
        }
        if (to.isBefore(from)) {
            throw new IllegalArgumentException("to is before from");
        }
    }
}

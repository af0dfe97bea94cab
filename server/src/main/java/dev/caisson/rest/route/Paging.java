package dev.caisson.rest.route;

import java.util.List;
import java.util.Optional;

/// Paging of lists: the parameters `limit` and `cursor`, and the page they ask for.
public final class Paging {
    public static final String CURSOR = "cursor";

    private static final Parameter.Bounds LIMIT = new Parameter.Bounds(1, 200, 50);

    private Paging() {}

    /// Page of a list of names.
    ///
    /// @param next the cursor of the page behind it; empty for the last page
    public record Page(List<String> names, Optional<String> next) {
        public Page {
            names = List.copyOf(names);
        }
    }

    /// The page a request asks for.
    ///
    /// @param sorted all names, in the order of strings; a cursor is the last name of a page
    public static Page of(RouteRequest ask, List<String> sorted) {
        var limit = limit(ask);
        var after = ask.query(CURSOR).orElse("");
        var names =
                sorted.stream()
                        .filter(name -> name.compareTo(after) > 0)
                        .limit(limit + 1L)
                        .toList();
        return names.size() > limit
                ? new Page(names.subList(0, limit), Optional.of(names.get(limit - 1)))
                : new Page(names, Optional.empty());
    }

    public static Parameter limit() {
        return Parameter.number("limit", "How many at most", LIMIT);
    }

    public static Parameter cursor() {
        return Parameter.query(CURSOR, "next_cursor of the page before");
    }

    public static int limit(RouteRequest ask) {
        return Math.toIntExact(ask.number("limit", LIMIT));
    }
}

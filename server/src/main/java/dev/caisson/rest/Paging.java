package dev.caisson.rest;

/// Lists in pages.
final class Paging {
    static final String CURSOR = "cursor";

    private static final Parameter.Bounds LIMIT = new Parameter.Bounds(1, 200, 50);

    private Paging() {}

    static Parameter limit() {
        return Parameter.number("limit", "How many at most", LIMIT);
    }

    static Parameter cursor() {
        return Parameter.query(CURSOR, "next_cursor of the page before");
    }

    static int limit(Ask ask) {
        return Math.toIntExact(ask.number("limit", LIMIT));
    }
}

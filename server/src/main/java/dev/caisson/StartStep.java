package dev.caisson;

import java.time.Duration;

/// Step of a start, in the order in which they are done: what it does, and after how long an
/// operator is told that it is still at it. A start has no other limit: it ends with a server that
/// listens, or with a failure.
enum StartStep {
    DATABASE("open the database, and migrate it", 30),
    LEASE("take part as a server of this database", 10),
    SANDBOXES("examine isolation, remove what dead servers left, find runners", 30),
    RECOVERY("settle what dead servers had under way", 60),
    DOORS("make tools, broker and doors", 10),
    LISTENING("listen, and take up deliveries", 10);

    private final String what;
    private final Duration limit;

    StartStep(String what, int seconds) {
        this.what = what;
        this.limit = Duration.ofSeconds(seconds);
    }

    String what() {
        return what;
    }

    Duration limit() {
        return limit;
    }
}

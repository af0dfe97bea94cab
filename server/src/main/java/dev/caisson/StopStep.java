package dev.caisson;

import java.time.Duration;
import java.util.Arrays;

/// Step of a stop, in the order in which they are done: what it does, and how long it waits for
/// others at most. This is the only place that has these limits; SPECIFICATION.md shows them.
enum StopStep {
    LISTENING("accept no more; end streams that only listen, and tasks", 2),
    REQUESTS("let requests under way finish", 10),
    STREAMS("let readers of streams take their end", 2),
    ANSWERS("let interrupted requests answer", 1),
    DETACHED_RUNS("end asynchronous runs", 2),
    WEBHOOKS("let deliveries under way finish", 1),
    CHORES("let chores finish", 1),
    WATCHES("end heartbeats, links to upstreams, the watches for revoked keys and disks", 1),
    VOLUMES("close volumes", 1),
    SESSIONS("end sessions", 2),
    SANDBOXES("kill what runs, and remove its sandboxes", 2),
    WORKSPACES("close workspaces", 1),
    RECORDS("write records of runs", 1),
    JOURNAL("write the journal to the database", 1),
    SPANS("send the last spans", 1),
    DATABASE("commit what waits, and close the database", 1);

    private final String what;
    private final Duration limit;

    StopStep(String what, int seconds) {
        this.what = what;
        this.limit = Duration.ofSeconds(seconds);
    }

    String what() {
        return what;
    }

    Duration limit() {
        return limit;
    }

    /// The whole stop.
    static Duration whole() {
        return Arrays.stream(values()).map(StopStep::limit).reduce(Duration.ZERO, Duration::plus);
    }
}

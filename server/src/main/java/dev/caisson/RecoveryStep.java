package dev.caisson;

import java.time.Duration;

/// Step of a recovery, in the order in which they are done: what it settles of servers that died,
/// and how long the start waits for it. One that takes longer goes on beside the server, and
/// housekeeping does each of them again.
enum RecoveryStep {
    JOURNALS("write what processes of this directory left in their journals", 10),
    LEFT_RUNS("end runs of this directory whose process died", 10),
    LEASES("end leases of servers that are gone", 10),
    BAKES("remove what killed bakes left", 10),
    RUNS("end runs of servers that are gone", 10),
    CALLS("settle calls that servers that are gone had under way", 10),
    APPROVALS("withdraw approvals that programs of servers that are gone waited for", 10),
    TASKS("end tasks of servers that are gone", 10),
    REQUESTS("answer requests of servers that are gone", 10);

    private final String what;
    private final Duration limit;

    RecoveryStep(String what, int seconds) {
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

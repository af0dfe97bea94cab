package dev.caisson;

import dev.caisson.executions.ExecutionRecords;
import dev.caisson.identity.Keys;
import dev.caisson.output.Spool;
import dev.caisson.storage.ThreadSweep;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// List of chores of a server: everything that is removed or looked at from time to time.
final class Chores {
    private Chores() {}

    /// Room is given back last, when everything else was removed.
    static List<Housekeeping.Chore> of(Core core, Config.Kept keep) {
        var clock = core.clock;
        var records = core.records;
        var spool = core.services.spool;
        var idle =
                new ThreadSweep(
                        core.services.threads,
                        keep.threads().idle(),
                        keep.threads().bytes(),
                        clock);
        return List.of(
                new Housekeeping.Chore(
                        "runs, tasks and requests of servers that are gone", core.recovery::repeat),
                new Housekeeping.Chore(
                        "executions",
                        List.of("keep.executions_age", "keep.executions_bytes"),
                        () -> records.sweep(keep.executions().retention(), spool::forget)),
                new Housekeeping.Chore(
                        "outputs of executions",
                        List.of("keep.output_age", "keep.output_bytes"),
                        () -> forgetOutput(records, spool, keep.output().age(), clock)),
                new Housekeeping.Chore(
                        "threads",
                        List.of("keep.threads_idle", "keep.threads_bytes", "keep.disk_part"),
                        idle::run),
                new Housekeeping.Chore(
                        "threads of revoked keys",
                        List.of("keep.threads_revoked"),
                        () -> removeRevoked(keep, idle, core.keys, clock)),
                new Housekeeping.Chore(
                        "results of tasks",
                        List.of("mcp.task_keep", "keep.tasks_bytes"),
                        core.processes::sweep),
                new Housekeeping.Chore(
                        "answers to requests with a key",
                        List.of("keep.answers_age", "keep.answers_bytes"),
                        core.answers::sweep),
                new Housekeeping.Chore(
                        "long results that wait to be sent",
                        List.of("keep.webhooks_bytes"),
                        core.webhooks::sweep),
                new Housekeeping.Chore(
                        "calls of tools of other servers",
                        List.of("keep.tool_calls_bytes"),
                        () -> core.upstreamCalls.sweep(keep.executions().retention().age())),
                new Housekeeping.Chore(
                        "sums of usage",
                        () -> {
                            core.usage.catchUp();
                            return 0;
                        }),
                new Housekeeping.Chore("old counters of quotas", core.quotas::sweep),
                new Housekeeping.Chore("what is learned of results", core.learned::sweep),
                new Housekeeping.Chore("old attempts", core.attempts::sweep),
                new Housekeeping.Chore("old counters of rules", core.policy::sweep),
                new Housekeeping.Chore(
                        "approvals that were waited for long enough",
                        core.approvals.consent()::sweep),
                new Housekeeping.Chore("environments without a name", core.environments::sweep),
                new Housekeeping.Chore(
                        "packages of no upstream",
                        () -> core.packages.sweep(core.upstreams.upstreams.shown())),
                new Housekeeping.Chore(
                        "unread lines of executions",
                        () -> {
                            records.readLines();
                            return 0;
                        }),
                new Housekeeping.Chore(
                        "old figures of storage",
                        () -> {
                            core.figures.look();
                            return 0;
                        }),
                new Housekeeping.Chore(
                        "unused room of the database",
                        () -> {
                            core.store.giveRoomBack();
                            return 0;
                        }));
    }

    /// Output is in files or in the records of executions, and both count together.
    private static int forgetOutput(
            ExecutionRecords records, Spool spool, Optional<Duration> age, Clock clock) {
        int old =
                age.map(clock.instant()::minus)
                        .map(moment ->
                                spool.forgetBefore(moment) + records.forgetOutputBefore(moment))
                        .orElse(0);
        var swept = spool.sweepAbove(records.outputBytes());
        return old
                + swept.executions()
                + swept.excess().entrySet().stream()
                        .mapToInt(one -> records.forgetOutputOf(one.getKey(), one.getValue()))
                        .sum();
    }

    private static int removeRevoked(Config.Kept keep, ThreadSweep sweep, Keys keys, Clock clock)
            throws InterruptedException {
        if (keep.threads().revoked().isEmpty()) {
            return 0;
        }
        var moment = clock.instant().minus(keep.threads().revoked().get());
        return sweep.removeOf(keys.revokedBefore(moment));
    }
}

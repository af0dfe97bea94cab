package dev.caisson.rest;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Scope;
import dev.caisson.executions.ExecutionFilter;
import dev.caisson.executions.ExecutionRecord;
import dev.caisson.executions.ExecutionRecords;
import dev.caisson.executions.ExecutionStatus;
import dev.caisson.identity.Keys;
import dev.caisson.json.Records;
import dev.caisson.share.Workers;
import dev.caisson.tools.LiveRuns;
import dev.caisson.tools.RunOutput;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The executions there were and are. A key sees its own; one with the scope admin sees all, when
/// it asks for them.
final class Executions {
    static final String ALL = "all";

    /// How long a program has to end, once it is told to.
    private static final Duration ENDING = Duration.ofSeconds(30);

    private final ExecutionRecords records;
    private final LiveRuns runs;
    private final RunOutput output;
    private final Keys keys;
    private final Workers workers;

    Executions(
            ExecutionRecords records, LiveRuns runs, RunOutput output, Keys keys, Workers workers) {
        this.workers = workers;
        this.records = records;
        this.runs = runs;
        this.output = output;
        this.keys = keys;
    }

    record ExecutionList(List<ExecutionSummary> executions, Optional<String> nextCursor) {}

    static Parameter all() {
        return Parameter.flag(ALL, "Those of every key; needs the scope admin");
    }

    Response list(Ask ask) throws InterruptedException {
        var owner = owner(ask);
        var names = names(ask);
        var scan = records.scan(owner, filter(ask), ask.query(Paging.CURSOR), Paging.limit(ask));
        var page =
                Presence.whileHere(
                        ask.exchange(),
                        () -> {
                            workers.runAll(ask.caller().id(), scan::next);
                            return scan.page();
                        });
        return Response.ok(
                Records.tree(
                        new ExecutionList(
                                page.executions().stream()
                                        .map(each -> ExecutionSummary.of(each, names))
                                        .toList(),
                                page.next())));
    }

    Response get(Ask ask) {
        return Response.ok(Records.tree(detail(ask, require(ask))));
    }

    /// Ends it, and answers when it has ended.
    Response cancel(Ask ask) throws InterruptedException {
        var record = require(ask);
        var run = runs.find(record.id());
        if (record.status() != ExecutionStatus.RUNNING || run.isEmpty()) {
            throw notHere(require(ask));
        }
        run.get().cancel();
        if (!run.get().awaitOver(ENDING)) {
            throw new Refusal(Reason.TIMED_OUT, "The program takes long to end; look again later.");
        }
        return get(ask);
    }

    /// @param record as it is now
    private Refusal notHere(ExecutionRecord record) {
        var elsewhere =
                record.status() == ExecutionStatus.RUNNING && records.isElsewhere(record.id());
        return new Refusal(
                Reason.CONFLICT,
                "Execution "
                        + record.id()
                        + (elsewhere
                                ? " runs on another server with this database; end it there."
                                : " does not run here any more."),
                Map.of("status", record.status().word(), Refusal.RETRYABLE, false));
    }

    /// @throws Refusal NOT_FOUND when there is none, or it is not this caller's
    ExecutionRecord require(Ask ask) {
        var id = ask.place("id");
        return records.find(owner(ask), id)
                .orElseThrow(
                        () -> new Refusal(Reason.NOT_FOUND, "There is no execution " + id + "."));
    }

    ExecutionDetail detail(Ask ask, ExecutionRecord record) {
        return ExecutionDetail.of(record, names(ask), output);
    }

    private static Optional<String> owner(Ask ask) {
        if (!ask.flag(ALL)) {
            return Optional.of(ask.caller().id());
        }
        Access.of(Scope.ADMIN).require(ask.caller());
        return Optional.empty();
    }

    private CallerNames names(Ask ask) {
        return ask.flag(ALL) ? CallerNames.of(keys) : CallerNames.of(ask.caller());
    }

    private static ExecutionFilter filter(Ask ask) {
        return new ExecutionFilter(
                ask.query("thread_id"),
                ask.query("status").map(Executions::status),
                ask.query("language"),
                ask.query("q"),
                Optional.empty(),
                Optional.empty());
    }

    private static ExecutionStatus status(String word) {
        return ExecutionStatus.of(word)
                .orElseThrow(() ->
                        new Refusal(
                                Reason.INVALID_ARGUMENT,
                                "status must be one of "
                                        + Arrays.stream(ExecutionStatus.values())
                                                .map(ExecutionStatus::word)
                                                .toList()
                                        + ".",
                                Map.of("parameter", "status")));
    }
}

package dev.caisson.rest.runs;

import dev.caisson.broker.ActionRequest;
import dev.caisson.broker.Broker;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Scope;
import dev.caisson.executions.ExecutionFilter;
import dev.caisson.executions.ExecutionRecord;
import dev.caisson.executions.ExecutionRecords;
import dev.caisson.executions.ExecutionStatus;
import dev.caisson.identity.KeyDirectory;
import dev.caisson.json.Json;
import dev.caisson.json.Records;
import dev.caisson.rest.CallerNames;
import dev.caisson.rest.route.Paging;
import dev.caisson.rest.route.Parameter;
import dev.caisson.rest.route.Response;
import dev.caisson.rest.route.RouteAccess;
import dev.caisson.rest.route.RouteRequest;
import dev.caisson.runs.LiveRuns;
import dev.caisson.runs.RunOutput;
import dev.caisson.share.Workers;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Routes of executions. A key sees its own; one with the scope admin sees all, when it asks for
/// them.
public final class ExecutionRoutes {
    public static final String ALL = "all";

    /// How long a program has to end, once it is told to.
    private static final Duration ENDING = Duration.ofSeconds(30);

    private final Broker broker;
    private final ExecutionRecords records;
    private final LiveRuns runs;
    private final RunOutput output;
    private final KeyDirectory keys;
    private final Workers workers;

    public ExecutionRoutes(
            Broker broker,
            ExecutionRecords records,
            LiveRuns runs,
            RunOutput output,
            KeyDirectory keys,
            Workers workers) {
        this.broker = broker;
        this.workers = workers;
        this.records = records;
        this.runs = runs;
        this.output = output;
        this.keys = keys;
    }

    public record ExecutionList(List<ExecutionSummary> executions, Optional<String> nextCursor) {}

    public static Parameter all() {
        return Parameter.flag(ALL, "Those of every key; needs the scope admin");
    }

    public Response list(RouteRequest ask) throws InterruptedException {
        var owner = owner(ask);
        var names = names(ask);
        var scan = records.scan(owner, filter(ask), ask.query(Paging.CURSOR), Paging.limit(ask));
        var page =
                DisconnectWatch.whileHere(
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

    public Response get(RouteRequest ask) {
        return Response.ok(Records.tree(detail(ask, require(ask))));
    }

    /// Ends it, and answers when it has ended.
    public Response cancel(RouteRequest ask) throws InterruptedException {
        var record = require(ask);
        var arguments = Json.object().put("execution_id", record.id());
        return broker.act(
                RestConversation.inline(ask),
                ActionRequest.change("execution_cancel", arguments),
                _ -> cancelled(ask, record));
    }

    private Response cancelled(RouteRequest ask, ExecutionRecord record)
            throws InterruptedException {
        var run = runs.find(record.id());
        if (record.status() != ExecutionStatus.RUNNING || run.isEmpty()) {
            throw notHere(require(ask));
        }
        run.get().cancel();
        if (!run.get().awaitOver(ENDING)) {
            throw new Refusal(Reason.TIMED_OUT, "The program is slow to end. Look again later.");
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
    ExecutionRecord require(RouteRequest ask) {
        var id = ask.place("id");
        return records.find(owner(ask), id)
                .orElseThrow(
                        () -> new Refusal(Reason.NOT_FOUND, "There is no execution " + id + "."));
    }

    ExecutionDetail detail(RouteRequest ask, ExecutionRecord record) {
        return ExecutionDetail.of(record, names(ask), output);
    }

    private static Optional<String> owner(RouteRequest ask) {
        if (!ask.flag(ALL)) {
            return Optional.of(ask.caller().id());
        }
        RouteAccess.of(Scope.ADMIN).require(ask.caller());
        return Optional.empty();
    }

    private CallerNames names(RouteRequest ask) {
        return ask.flag(ALL) ? CallerNames.of(keys) : CallerNames.of(ask.caller());
    }

    private static ExecutionFilter filter(RouteRequest ask) {
        return new ExecutionFilter(
                ask.query("thread_id"),
                ask.query("status").map(ExecutionRoutes::status),
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

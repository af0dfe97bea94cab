package dev.caisson.tools;

import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolSpec;
import dev.caisson.broker.ToolSpec.Hints;
import dev.caisson.broker.TypedTool;
import dev.caisson.broker.TypedTool.Answer;
import dev.caisson.call.Call;
import dev.caisson.call.Remedy;
import dev.caisson.call.Scope;
import dev.caisson.executions.ExecutionFilter;
import dev.caisson.executions.ExecutionIndex;
import dev.caisson.executions.ExecutionStatus;
import dev.caisson.executions.ListedExecution;
import dev.caisson.json.DefaultsTo;
import dev.caisson.json.Describe;
import dev.caisson.json.Json;
import dev.caisson.json.Length;
import dev.caisson.json.Range;
import dev.caisson.runs.NulCheck;
import dev.caisson.share.CallerWorkers;
import dev.caisson.share.Workers;
import dev.caisson.storage.Threads;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Tool that lists the caller's runs, the newest first.
public final class ExecutionsList {
    static final int LIMIT_MAX = 100;

    private final ExecutionIndex index;
    private final Workers workers;

    private ExecutionsList(ExecutionIndex index, Workers workers) {
        this.index = index;
        this.workers = workers;
    }

    record Input(
            Optional<ExecutionStatus> status,
            @Length(min = 1, max = Threads.ID_LENGTH_MAX) Optional<String> threadId,
            @Range(min = 1, max = LIMIT_MAX) @DefaultsTo("10") int limit,
            @Describe("The last next_cursor.") @Length(min = 1, max = 100)
                    Optional<String> cursor) {}

    /// @param executions the newest first
    record Output(List<Row> executions, Optional<String> nextCursor) {
        Output {
            executions = List.copyOf(executions);
        }
    }

    record Row(
            String executionId,
            ExecutionStatus status,
            String language,
            Optional<String> threadId,
            String startedAt,
            Optional<Long> durationMs,
            @Describe("How the program begins, where programs are kept.")
                    Optional<String> preview) {
        static Row of(ListedExecution one) {
            return new Row(
                    one.id(),
                    one.status(),
                    one.language(),
                    one.thread(),
                    one.created().toString(),
                    one.wallMillis(),
                    one.preview());
        }

        String line() {
            return executionId
                    + " "
                    + status.word()
                    + " "
                    + language
                    + " "
                    + startedAt
                    + threadId.map(thread -> " thread " + thread).orElse("");
        }
    }

    public static Tool tool(ExecutionIndex index, Workers workers) {
        var tool = new ExecutionsList(index, workers);
        return TypedTool.withBody(
                ToolSpec.named(
                                Remedy.LIST_EXECUTIONS.word(),
                                "List runs",
                                "Lists your runs, the newest first.")
                        .hinted(Hints.READS)
                        .returning(Json.object().put("type", "object"))
                        .within(Scope.RUN),
                Input.class,
                (call, input, _) -> tool.list(call, input).result());
    }

    private Answer<Output> list(Call call, Input input) {
        input.threadId().ifPresent(id -> NulCheck.require("thread_id", id));
        var owner = call.caller().id();
        var filter =
                new ExecutionFilter(
                        input.threadId(),
                        input.status(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty());
        var page =
                new CallerWorkers(workers, owner)
                        .get(() ->
                                index.list(
                                        Optional.of(owner), filter, input.cursor(), input.limit()));
        var rows = page.executions().stream().map(Row::of).toList();
        return Answer.of(new Output(rows, page.next()), text(rows, page.next()));
    }

    private static String text(List<Row> rows, Optional<String> next) {
        return rows.isEmpty()
                ? "There are none."
                : rows.stream().map(Row::line).collect(Collectors.joining("\n"))
                        + next.map(cursor -> "\nMore with cursor " + cursor).orElse("");
    }
}

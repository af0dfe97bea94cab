package dev.caisson.tools;

import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolSpec;
import dev.caisson.broker.ToolSpec.Hints;
import dev.caisson.broker.TypedTool;
import dev.caisson.broker.TypedTool.Answer;
import dev.caisson.call.Call;
import dev.caisson.call.Remedy;
import dev.caisson.call.Scope;
import dev.caisson.executions.ExecutionStatus;
import dev.caisson.json.Except;
import dev.caisson.json.Json;
import dev.caisson.json.Length;
import dev.caisson.runs.OwnRuns;

/// Tool that ends a run.
public final class ExecutionCancel {
    private final OwnRuns runs;

    private ExecutionCancel(OwnRuns runs) {
        this.runs = runs;
    }

    record Input(@Length(min = 1, max = 200) String executionId) {}

    /// @param status how the run ended, by this call or before it
    record Output(String executionId, @Except("running") ExecutionStatus status) {}

    public static Tool tool(OwnRuns runs) {
        var tool = new ExecutionCancel(runs);
        return TypedTool.withBody(
                ToolSpec.named(
                                Remedy.CANCEL_EXECUTION.word(),
                                "End a run",
                                "Ends a run; its output is kept.")
                        .hinted(Hints.REPLACES)
                        .returning(Json.object().put("type", "object"))
                        .within(Scope.RUN),
                Input.class,
                (call, input, _) -> tool.cancel(call, input).result());
    }

    private Answer<Output> cancel(Call call, Input input) throws InterruptedException {
        var record = runs.cancel(call.caller(), input.executionId());
        return Answer.of(
                new Output(record.id(), record.status()),
                record.status() == ExecutionStatus.CANCELLED
                        ? "The run was ended."
                        : "The run had ended before: " + record.status().word() + ".");
    }
}

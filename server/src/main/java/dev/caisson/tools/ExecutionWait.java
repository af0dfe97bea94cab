package dev.caisson.tools;

import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolResult;
import dev.caisson.broker.ToolSpec;
import dev.caisson.broker.ToolSpec.Hints;
import dev.caisson.broker.TypedTool;
import dev.caisson.call.Call;
import dev.caisson.call.Content;
import dev.caisson.call.Remedy;
import dev.caisson.call.Scope;
import dev.caisson.json.DefaultsTo;
import dev.caisson.json.Describe;
import dev.caisson.json.Json;
import dev.caisson.json.Length;
import dev.caisson.json.Range;
import dev.caisson.json.Records;
import dev.caisson.runs.OutputCursor;
import dev.caisson.runs.OwnRuns;
import dev.caisson.runs.RunService;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Tool that waits for a run in the background: for its end, or for a time, after which it gives
/// what the program has written meanwhile.
public final class ExecutionWait {
    /// Common clients give a call up after 60 s.
    static final int SECONDS_MAX = 50;

    private final OwnRuns runs;
    private final RunService service;
    private final Clock clock;

    private ExecutionWait(OwnRuns runs, RunService service, Clock clock) {
        this.runs = runs;
        this.service = service;
        this.clock = clock;
    }

    record Input(
            @Length(min = 1, max = 200) String executionId,
            @Range(min = 0, max = SECONDS_MAX) @DefaultsTo("30") int seconds,
            @Describe("The last next_since, for newer output alone.")
                    @Length(min = 3, max = OutputCursor.LENGTH_MAX)
                    Optional<String> since) {}

    /// Reports of runs are redacted where they are made.
    public static Tool tool(OwnRuns runs, RunService service, Clock clock) {
        var tool = new ExecutionWait(runs, service, clock);
        return TypedTool.withBody(
                        ToolSpec.named(
                                        Remedy.WAIT_FOR_EXECUTION.word(),
                                        "Wait for a run",
                                        "Waits for a run in the background: returns its result, or its"
                                                + " output so far while it runs.")
                                .hinted(Hints.READS)
                                .alsoInCode(
                                        "Waits for a run in the background.",
                                        "execution_id",
                                        "seconds",
                                        "since")
                                .returning(Json.object().put("type", "object"))
                                .within(Scope.RUN),
                        Input.class,
                        (call, input, _) -> tool.await(call, input))
                .redactingItself();
    }

    private ToolResult await(Call call, Input input) throws InterruptedException {
        var since = input.since().map(OutputCursor::of).orElse(OutputCursor.START);
        var record =
                runs.await(call.caller(), input.executionId(), Duration.ofSeconds(input.seconds()));
        if (OwnRuns.isRunning(record)) {
            var report = runs.running(record, since, clock.millis());
            return new ToolResult(
                    List.of(Content.text(report.text())), Optional.of(Records.tree(report)), false);
        }
        var ended = runs.ended(record);
        return SandboxExecute.answer(
                        ended.run(), ended.envelope(), service.urls(call.caller(), ended.run()))
                .result();
    }
}

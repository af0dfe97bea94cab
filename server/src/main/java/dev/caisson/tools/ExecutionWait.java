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
import dev.caisson.executions.ExecutionRecord;
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
import java.util.OptionalDouble;

/// Tool that waits for a run in the background: for its end, or for a time, after which it gives
/// what the program has written meanwhile.
public final class ExecutionWait {
    static final int SECONDS_MAX = 300;

    /// How often a client that asked for it hears that the wait goes on.
    private static final Duration BEAT = Duration.ofSeconds(2);

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
            @Range(min = 0, max = SECONDS_MAX) @DefaultsTo("45") int seconds,
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

    /// Waits, and tells of it. Doors keep their connections open meanwhile.
    private ExecutionRecord ended(Call call, Input input) throws InterruptedException {
        long began = System.nanoTime();
        var most = Duration.ofSeconds(input.seconds());
        while (true) {
            var left = most.minusNanos(System.nanoTime() - began);
            var slice = left.compareTo(BEAT) < 0 ? left : BEAT;
            var record = runs.await(call.caller(), input.executionId(), slice);
            var waited = Duration.ofNanos(System.nanoTime() - began);
            if (!OwnRuns.isRunning(record) || waited.compareTo(most) >= 0) {
                return record;
            }
            call.messages()
                    .progress(
                            waited.toMillis() / 1000.0,
                            OptionalDouble.of(input.seconds()),
                            "Waiting for %d s".formatted(waited.toSeconds()));
        }
    }

    private ToolResult await(Call call, Input input) throws InterruptedException {
        var since = input.since().map(OutputCursor::of).orElse(OutputCursor.START);
        var record = ended(call, input);
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

package dev.caisson.runs;

import dev.caisson.executions.NetworkUse;
import dev.caisson.executions.ToolUse;
import dev.caisson.json.Inline;
import dev.caisson.runs.ExecutionReport.Account;
import dev.caisson.runs.ExecutionReport.Metrics;
import dev.caisson.runs.ExecutionReport.Problem;
import dev.caisson.runs.ExecutionReport.StreamFigures;
import java.util.List;
import java.util.Optional;

/// Figures of an execution that programs read and models do not, with its identity and digests. It
/// goes with a [RunAnswer], apart from it.
public record RunFigures(
        String executionId,
        String language,
        String runner,
        Optional<String> threadId,
        @Inline StreamFigures streams,
        long redactions,
        long filesTotal,
        boolean filesComplete,
        boolean filesKept,
        @Inline Metrics metrics,
        @Inline Account account,
        Verdict result,
        Optional<ToolUse> tools,
        Optional<List<NetworkUse>> network) {
    /// The name under which it goes with an answer.
    public static final String NAME = "dev.caisson/execution";

    /// Whether the program succeeded, and why not.
    public record Verdict(boolean ok, Optional<Problem> error) {}

    /// @param envelope as it may be shown
    public static RunFigures of(FinishedRun run, Envelope envelope) {
        var runner = run.runner();
        return new RunFigures(
                run.id(),
                runner.language().word(),
                runner.name() + " " + runner.version(),
                run.threadId(),
                StreamFigures.of(run.output()),
                run.redactions(),
                run.files().files().size(),
                run.files().complete(),
                run.keepsFiles(),
                run.metrics(),
                Account.of(run, envelope),
                new Verdict(run.ending().succeeded(), Problem.of(run.ending())),
                run.tools(),
                run.network());
    }
}

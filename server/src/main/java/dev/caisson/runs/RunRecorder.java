package dev.caisson.runs;

import dev.caisson.call.Call;
import dev.caisson.call.KeyedDigest;
import dev.caisson.call.Refusal;
import dev.caisson.executions.CallOrigin;
import dev.caisson.executions.Completion;
import dev.caisson.executions.ExecutionRequest;
import dev.caisson.executions.ExecutionStatus;
import dev.caisson.executions.LeftFile;
import dev.caisson.executions.RunJournal;
import dev.caisson.executions.StartTicket;
import dev.caisson.executions.StreamFigures;
import dev.caisson.output.CapturedStream;
import dev.caisson.redact.Redactor;
import dev.caisson.sandbox.Run;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// Recorder of runs: the record of a run begins before its program does and ends before its caller
/// hears of it, however it ends. Nothing else waits for the disk: the beginning is noted where it
/// outlives this process, and the end is written with the ledger's entry.
final class RunRecorder {
    private final RunJournal journal;
    private final KeyedDigest digest;

    /// @param digest of programs
    RunRecorder(RunJournal journal, KeyedDigest digest) {
        this.journal = journal;
        this.digest = digest;
    }

    /// Begins the record of a run.
    ///
    /// @param exact takes secrets out of what is kept of the request
    /// @param followed whether somebody hears of the execution before it is over
    Recording begin(Call call, RunRequest request, Run run, Redactor exact, boolean followed) {
        var codeHash = digest.of(call.caller().id(), run.code().getBytes(StandardCharsets.UTF_8));
        call.notes().ranCode(codeHash);
        var begun =
                journal.start(
                        run.id(),
                        call.caller().id(),
                        asked(call, request, run, codeHash, exact),
                        exact.text(run.code()),
                        followed);
        return new Recording(call, run, exact, begun);
    }

    /// Record of one run that has begun.
    final class Recording {
        private final Call call;
        private final Run run;
        private final Redactor exact;
        private final StartTicket begun;
        private boolean over;

        private Recording(Call call, Run run, Redactor exact, StartTicket begun) {
            this.call = call;
            this.run = run;
            this.exact = exact;
            this.begun = begun;
        }

        /// How far the record is.
        StartTicket begun() {
            return begun;
        }

        /// The run, which waits until its beginning is noted.
        Run permitted() {
            return run.when(begun::awaitNoted);
        }

        /// Writes the end.
        ///
        /// @param live is over when the record is
        /// @param output that is kept with it
        void end(FinishedRun execution, LiveRun live, Optional<byte[]> output) {
            call.notes().redacted(execution.redactions());
            execution.ending().failure().ifPresent(call.notes()::failedBy);
            var completion = completion(execution);
            var end = new EndWriter(journal, run.id(), completion, output);
            live.overWith(end);
            call.notes().awaits(end);
            over = true;
            RunLog.write(run, call.caller().name(), completion);
        }

        /// Writes the end of a run that broke off, unless it has one.
        void giveUp(Throwable failure) {
            if (!over) {
                giveUp(Completion.without(status(failure), sentence(failure)), failure);
            }
        }

        /// What went wrong first is what the caller hears.
        private void giveUp(Completion end, Throwable first) {
            RunLog.write(run, call.caller().name(), end);
            try {
                new EndWriter(journal, run.id(), end, Optional.empty()).await();
            } catch (RuntimeException second) {
                first.addSuppressed(second);
            }
        }

        private static ExecutionStatus status(Throwable failure) {
            return switch (failure) {
                case InterruptedException _ -> ExecutionStatus.CANCELLED;
                case Refusal _ -> ExecutionStatus.BLOCKED;
                default -> ExecutionStatus.FAILED;
            };
        }

        private String sentence(Throwable failure) {
            return switch (failure) {
                case InterruptedException _ -> "The call was cancelled.";
                case Refusal refusal -> exact.text(refusal.sentence());
                default -> "The server failed at this run.";
            };
        }
    }

    private static ExecutionRequest asked(
            Call call, RunRequest request, Run run, String codeHash, Redactor exact) {
        var limits = run.limits();
        var envelope = request.envelope().shownBy(exact);
        return new ExecutionRequest(
                request.threadId(),
                run.runner().language().word(),
                run.runner().name() + " " + run.runner().version(),
                new ExecutionRequest.Allowed(
                        limits.wall().toMillis(),
                        limits.memoryBytes(),
                        limits.cpus(),
                        limits.processes()),
                codeHash,
                envelope.argumentsDigest(),
                Optional.of(
                        new CallOrigin(
                                envelope.toolName(),
                                envelope.toolVersion(),
                                envelope.inputDigest(),
                                run.runner().image(),
                                envelope.provenance())),
                envelope.metadata(),
                request.env().keySet().stream().sorted().toList(),
                call.trace().id().value(),
                call.replyMode());
    }

    private static Completion completion(FinishedRun execution) {
        return new Completion(
                execution.ending(),
                execution.usage(),
                figures(execution.output().stdout()),
                figures(execution.output().stderr()),
                Reports.files(execution, _ -> Optional.empty()).stream()
                        .map(RunRecorder::left)
                        .toList(),
                execution.files().files().size(),
                Optional.of(Reports.outputDigest(execution)),
                execution.redactions(),
                execution.value(),
                Displays.notes(execution).kept());
    }

    private static StreamFigures figures(CapturedStream stream) {
        return new StreamFigures(stream.bytes(), stream.storedBytes(), stream.truncated());
    }

    private static LeftFile left(ExecutionReport.FileEntry file) {
        return new LeftFile(file.path(), file.size(), file.mediaType(), file.changed());
    }
}

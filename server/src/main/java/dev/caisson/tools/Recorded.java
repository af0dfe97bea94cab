package dev.caisson.tools;

import dev.caisson.broker.Call;
import dev.caisson.call.KeyedDigest;
import dev.caisson.call.Refusal;
import dev.caisson.executions.Begun;
import dev.caisson.executions.CallOrigin;
import dev.caisson.executions.Completion;
import dev.caisson.executions.ExecutionRequest;
import dev.caisson.executions.ExecutionStatus;
import dev.caisson.redact.Redactor;
import dev.caisson.sandbox.Run;
import dev.caisson.sandbox.Start;
import dev.caisson.storage.CapturedStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// Sees to it that the record of a run begins before its program does and ends before its caller
/// hears of it, however it ends. Nothing else waits for the disk: the beginning is noted where it
/// outlives this process, and the end is written with the ledger's entry.
final class Recorded {
    interface Work {
        /// @param run which waits for its permit
        /// @param begun how far its record is
        Execution of(Run run, Begun begun) throws InterruptedException;
    }

    private final Journal journal;
    private final KeyedDigest digest;

    /// @param digest of programs
    Recorded(Journal journal, KeyedDigest digest) {
        this.journal = journal;
        this.digest = digest;
    }

    /// @param live is over when the record is
    /// @param exact takes secrets out of what is kept of the request
    Execution execution(
            Call call, Request request, Run run, LiveRun live, Redactor exact, Work work)
            throws InterruptedException {
        var codeHash = digest.of(call.caller().id(), run.code().getBytes(StandardCharsets.UTF_8));
        call.notes().ranCode(codeHash);
        var begun =
                journal.begin(
                        run.id(),
                        call.caller().id(),
                        asked(call, request, run, codeHash, exact),
                        exact.text(run.code()),
                        call.isFollowed());
        try {
            var execution = work.of(run.when(begun::awaitNoted), begun);
            call.notes().redacted(execution.redactions());
            execution.ending().failure().ifPresent(call.notes()::failedBy);
            var end = new LastingEnd(journal, run.id(), completion(execution));
            live.overWith(end);
            call.notes().awaits(end);
            return execution;
        } catch (InterruptedException cancelled) {
            giveUp(run, ExecutionStatus.CANCELLED, "The call was cancelled.", cancelled);
            throw cancelled;
        } catch (Refusal refusal) {
            giveUp(run, ExecutionStatus.BLOCKED, exact.text(refusal.sentence()), refusal);
            throw refusal;
        } catch (RuntimeException | Error fault) {
            giveUp(run, ExecutionStatus.FAILED, "The server failed at this run.", fault);
            throw fault;
        }
    }

    /// What went wrong first is what the caller hears.
    private void giveUp(Run run, ExecutionStatus status, String why, Throwable first) {
        try {
            new LastingEnd(journal, run.id(), Completion.without(status, why)).await();
        } catch (RuntimeException second) {
            first.addSuppressed(second);
        }
    }

    private static ExecutionRequest asked(
            Call call, Request request, Run run, String codeHash, Redactor exact) {
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
                call.trace().value(),
                call.delivery());
    }

    private static Completion completion(Execution execution) {
        var ending = execution.ending();
        var usage = execution.usage();
        return new Completion(
                ExecutionStatus.of(ending.status().word()).orElseThrow(),
                ending.exitCode(),
                ending.signal(),
                ending.sentence(),
                new Completion.Used(
                        usage.queueMillis(),
                        usage.wallMillis(),
                        usage.cpuMillis(),
                        usage.memoryPeakBytes(),
                        usage.start().map(Start::word)),
                written(execution.output().stdout()),
                written(execution.output().stderr()),
                Reports.files(execution, _ -> Optional.empty()).stream()
                        .map(Recorded::left)
                        .toList(),
                execution.files().files().size(),
                Optional.of(Reports.outputDigest(execution)),
                execution.redactions(),
                execution.value().map(Recorded::handed));
    }

    private static Completion.Handed handed(ReturnedValue value) {
        return new Completion.Handed(
                value.data(),
                value.dataFile().map(file -> new Completion.InFile(file.path(), file.bytes())),
                value.note(),
                Optional.of(value.storedBytes()));
    }

    private static Completion.Written written(CapturedStream stream) {
        return new Completion.Written(stream.bytes(), stream.storedBytes(), stream.truncated());
    }

    private static Completion.LeftFile left(ExecutionReport.FileEntry file) {
        return new Completion.LeftFile(file.path(), file.size(), file.mimeType(), file.changed());
    }
}

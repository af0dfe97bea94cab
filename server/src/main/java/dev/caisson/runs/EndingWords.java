package dev.caisson.runs;

import dev.caisson.executions.Ended;
import dev.caisson.executions.ExecutionStatus;
import dev.caisson.executions.RunUsage;
import dev.caisson.sandbox.Limits;
import dev.caisson.sandbox.Outcome;
import dev.caisson.sandbox.Start;
import java.util.Optional;

/// Mapping of the outcome of a sandbox to the end of a run, with the sentence a caller reads.
final class EndingWords {
    private EndingWords() {}

    static Ended of(Outcome outcome, Limits limits) {
        return of(outcome, limits, "The run was cancelled.");
    }

    /// @param cancelled what to say of a run that was cancelled
    static Ended of(Outcome outcome, Limits limits, String cancelled) {
        return switch (outcome) {
            case Outcome.Exited exited -> exited(exited.code());
            case Outcome.Signalled signalled -> signalled(Signals.name(signalled.signal()));
            case Outcome.TimedOut _ -> Ended.without(ExecutionStatus.TIMEOUT, timeout(limits));
            case Outcome.OutOfMemory _ -> Ended.without(ExecutionStatus.OOM, memory(limits));
            case Outcome.Cancelled _ -> Ended.without(ExecutionStatus.CANCELLED, cancelled);
            case Outcome.Blocked blocked -> Ended.without(ExecutionStatus.BLOCKED, blocked.why());
        };
    }

    static RunUsage usage(Outcome.Usage usage) {
        return new RunUsage(
                usage.queueMillis(),
                usage.wallMillis(),
                usage.cpuMillis(),
                usage.memoryPeakBytes(),
                usage.start().map(Start::word));
    }

    private static Ended exited(int code) {
        return new Ended(
                code == 0 ? ExecutionStatus.SUCCESS : ExecutionStatus.FAILED,
                Optional.of(code),
                Optional.empty(),
                Optional.empty());
    }

    private static Ended signalled(String name) {
        return new Ended(
                ExecutionStatus.FAILED,
                Optional.empty(),
                Optional.of(name),
                Optional.of("The program was ended by " + name + "."));
    }

    private static String timeout(Limits limits) {
        return "The program was stopped after "
                + Quantities.duration(limits.wall())
                + ", its time limit.";
    }

    private static String memory(Limits limits) {
        return "The program was stopped because it needed more than "
                + Quantities.bytes(limits.memoryBytes())
                + " of memory, the limit of a run.";
    }
}

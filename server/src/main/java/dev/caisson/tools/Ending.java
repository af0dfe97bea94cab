package dev.caisson.tools;

import dev.caisson.sandbox.Limits;
import dev.caisson.sandbox.Outcome;
import java.util.Optional;

/// An outcome in the words of the answer.
///
/// @param exitCode when the program ended by itself
/// @param signal the name of the signal that ended it
/// @param sentence what to know and what to do, when the exit code does not say it all
record Ending(
        Status status,
        Optional<Integer> exitCode,
        Optional<String> signal,
        Optional<String> sentence) {
    static Ending of(Outcome outcome, Limits limits) {
        return of(outcome, limits, "The run was cancelled.");
    }

    /// @param cancelled what to say of a run that was cancelled
    static Ending of(Outcome outcome, Limits limits, String cancelled) {
        return switch (outcome) {
            case Outcome.Exited exited ->
                    new Ending(
                            exited.code() == 0 ? Status.SUCCESS : Status.FAILED,
                            Optional.of(exited.code()),
                            Optional.empty(),
                            Optional.empty());
            case Outcome.Signalled signalled -> signalled(Signals.name(signalled.signal()));
            case Outcome.TimedOut _ -> without(Status.TIMEOUT, timeout(limits));
            case Outcome.OutOfMemory _ -> without(Status.OOM, memory(limits));
            case Outcome.Cancelled _ -> without(Status.CANCELLED, cancelled);
            case Outcome.Blocked blocked -> without(Status.BLOCKED, blocked.why());
        };
    }

    private static Ending signalled(String name) {
        return new Ending(
                Status.FAILED,
                Optional.empty(),
                Optional.of(name),
                Optional.of("The program was ended by " + name + "."));
    }

    private static Ending without(Status status, String sentence) {
        return new Ending(status, Optional.empty(), Optional.empty(), Optional.of(sentence));
    }

    private static String timeout(Limits limits) {
        return "The program was stopped after "
                + Words.duration(limits.wall())
                + ", its time limit. Ask for more with timeout, or do less in one run.";
    }

    private static String memory(Limits limits) {
        return "The program was stopped because it needed more than "
                + Words.bytes(limits.memoryBytes())
                + " of memory, the limit of a run.";
    }

    /// Why it did not succeed, in words that no program chose.
    Optional<String> failure() {
        if (succeeded()) {
            return Optional.empty();
        }
        return exitCode.map(code -> "exit code " + code)
                .or(() -> signal)
                .or(() -> Optional.of(status.word()));
    }

    /// Whether the same caller may try the same again: not when it may do nothing any more.
    boolean retryable() {
        return status == Status.CANCELLED && !LiveRuns.isRevoked(sentence);
    }

    boolean succeeded() {
        return status == Status.SUCCESS;
    }
}

package dev.caisson.runs;

import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Remedy;
import dev.caisson.executions.ExecutionIndex;
import dev.caisson.executions.ExecutionRecord;
import dev.caisson.executions.ExecutionStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Runs of a caller, found by their ids: to wait for, to read and to end. Those of others are
/// unknown.
public final class OwnRuns {
    /// How often the record of a run of another server is looked at.
    private static final Duration LOOK = Duration.ofMillis(500);

    /// How long a program has to end, once it is told to.
    private static final Duration ENDING = Duration.ofSeconds(30);

    private final ExecutionIndex index;
    private final LiveRuns live;
    private final BackgroundRuns background;
    private final RunOutput output;

    public OwnRuns(
            ExecutionIndex index, LiveRuns live, BackgroundRuns background, RunOutput output) {
        this.index = index;
        this.live = live;
        this.background = background;
        this.output = output;
    }

    /// @throws Refusal NOT_FOUND when there is none, or it is another caller's
    public ExecutionRecord require(Caller caller, String id) {
        return index.find(Optional.of(caller.id()), id)
                .orElseThrow(() ->
                        new Refusal(
                                Reason.NOT_FOUND,
                                "You have no execution %s; %s names those you have."
                                        .formatted(id, Remedy.LIST_EXECUTIONS.word())));
    }

    /// Waits until a run has ended, but not for longer than that.
    ///
    /// @return its record then
    public ExecutionRecord await(Caller caller, String id, Duration atMost)
            throws InterruptedException {
        var end = System.nanoTime() + atMost.toNanos();
        var record = require(caller, id);
        while (isRunning(record) && System.nanoTime() < end) {
            var left = Duration.ofNanos(Math.max(1, end - System.nanoTime()));
            var run = live.find(record.id());
            if (run.isPresent()) {
                run.get().awaitOver(left);
            } else {
                Thread.sleep(left.compareTo(LOOK) < 0 ? left : LOOK);
            }
            record = require(caller, record.id());
        }
        return record;
    }

    /// Ends a run and waits until it has ended.
    ///
    /// @return its record then
    /// @throws Refusal CONFLICT when another server runs it, TIMED_OUT when it is slow to end
    public ExecutionRecord cancel(Caller caller, String id) throws InterruptedException {
        var record = require(caller, id);
        if (!isRunning(record)) {
            return record;
        }
        live.find(record.id()).ifPresent(LiveRun::cancel);
        if (live.find(record.id()).isEmpty() && index.isElsewhere(record.id())) {
            throw new Refusal(
                    Reason.CONFLICT,
                    "Execution "
                            + record.id()
                            + " runs on another server with this database; end it there.",
                    Map.of(Refusal.RETRYABLE, false));
        }
        var ended = await(caller, record.id(), ENDING);
        if (isRunning(ended)) {
            throw new Refusal(Reason.TIMED_OUT, "The program is slow to end. Look again later.");
        }
        return ended;
    }

    public static boolean isRunning(ExecutionRecord record) {
        return record.status() == ExecutionStatus.RUNNING;
    }

    /// A run that goes on, and its output from a cursor on.
    ///
    /// @param now in milliseconds of the epoch
    public RunningReport running(ExecutionRecord record, OutputCursor since, long now) {
        var shown = NewOutput.of(output, record.owner(), record.id(), since);
        var running = Duration.ofMillis(Math.max(0, now - record.created().toEpochMilli()));
        var awaited = live.find(record.id()).map(LiveRun::awaited).orElse(List.of());
        return RunningReport.of(record.id(), shown, running, awaited);
    }

    /// A run that has ended.
    public EndedRun ended(ExecutionRecord record) {
        return background
                .ended()
                .find(record.owner(), record.id())
                .map(entry -> new EndedRun(entry.run(), entry.envelope()))
                .orElseGet(() -> stored(record));
    }

    private EndedRun stored(ExecutionRecord record) {
        var stored = new StoredRun(record, record.completion().orElseThrow(), output);
        return new EndedRun(stored.finished(), stored.envelope());
    }

    /// Run that has ended, with what is said about its call.
    ///
    /// @param envelope as it may be shown
    public record EndedRun(FinishedRun run, Envelope envelope) {}
}

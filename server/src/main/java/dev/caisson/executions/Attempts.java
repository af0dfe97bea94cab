package dev.caisson.executions;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.store.Store;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Attempts of callers at their tasks. A task is a name of the caller's choice; runs of it that
/// fail one after the other are counted, and after so many the next is not run: whoever corrects
/// itself in vain hands over to a person. A success sets the count back.
///
/// The count is in the database before the caller hears of the failure.
public final class Attempts implements AttemptCounter {
    /// Tasks that are counted for one caller; the one that failed longest ago is forgotten first.
    static final int TASKS_MAX = 1_000;

    /// How long a task is remembered that is not tried again.
    static final Duration KEPT = Duration.ofDays(7);

    private final Store store;
    private final Clock clock;
    private final int max;

    /// @param max failures in a row
    public Attempts(Store store, Clock clock, int max) {
        this.store = store;
        this.clock = clock;
        this.max = max;
    }

    @Override
    public Attempt begin(String caller, String task) {
        var known = store.read(handle -> AttemptRows.find(handle, caller, task));
        if (known.failures() >= max) {
            throw handoff(task, known);
        }
        return new Attempt(known.failures() + 1, max);
    }

    private Refusal handoff(String task, AttemptRows.Failures known) {
        return new Refusal(
                Reason.HANDOFF_REQUIRED,
                ("%d programs in a row failed at the task %s. Stop, and say what you tried; a person"
                                + " lets it be tried again with POST /v1/attempts/reset.")
                        .formatted(known.failures(), task),
                Map.of("attempts", known.executions()));
    }

    /// A run that was cancelled, or could not begin, says nothing about the program.
    @Override
    public void ended(String caller, String task, String executionId, ExecutionStatus status) {
        switch (status) {
            case SUCCESS -> reset(caller, task);
            case FAILED, TIMEOUT, OOM -> failed(caller, task, executionId);
            case RUNNING, CANCELLED, BLOCKED -> {}
        }
    }

    private void failed(String caller, String task, String executionId) {
        long now = clock.millis();
        store.write(handle -> {
            var before = AttemptRows.find(handle, caller, task);
            List<String> executions = new ArrayList<>(before.executions());
            executions.add(executionId);
            int from = Math.max(0, executions.size() - max);
            AttemptRows.put(
                    handle,
                    caller,
                    task,
                    new AttemptRows.Failures(
                            before.failures() + 1, executions.subList(from, executions.size())),
                    now);
            AttemptRows.keep(handle, caller, TASKS_MAX);
            return executionId;
        });
    }

    /// @return whether there was anything to set back
    public boolean reset(String caller, String task) {
        return store.write(handle -> AttemptRows.delete(handle, caller, task)) > 0;
    }

    /// Forgets the tasks that nobody tried for long.
    ///
    /// @return how many
    public int sweep() {
        var before = clock.instant().minus(KEPT);
        return store.write(handle -> AttemptRows.deleteBefore(handle, before));
    }
}

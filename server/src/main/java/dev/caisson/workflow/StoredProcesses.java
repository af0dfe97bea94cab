package dev.caisson.workflow;

import dev.caisson.call.Durable;
import dev.caisson.call.OrderedId;
import dev.caisson.json.Json;
import dev.caisson.share.Budget;
import dev.caisson.store.Store;
import dev.caisson.store.StoreWork;
import dev.caisson.store.Transaction;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.JsonNode;

/// Processes in the database. A task has a history of its moves; of an execution, which starts and
/// ends, its own record says both.
public final class StoredProcesses implements Processes {
    /// How many ended processes one transaction forgets, so that others do not wait long.
    static final int SWEEP_BATCH = 500;

    private final Store store;
    private final Clock clock;
    private final Budget results;

    public StoredProcesses(Store store, Clock clock) {
        this(store, clock, TaskLimits.DEFAULT.bytesMax());
    }

    /// @param taskBytesMax what the results of tasks may take; whoever has most loses its oldest
    public StoredProcesses(Store store, Clock clock, long taskBytesMax) {
        this.store = store;
        this.clock = clock;
        this.results = new Budget(taskBytesMax, new TaskRetention(store));
    }

    @Override
    public WorkflowProcess start(
            Definition definition, String owner, JsonNode data, Optional<Duration> keep) {
        return store.write(
                starting(fresh(OrderedId.fresh(), definition, owner, data, keep), Effect.NONE));
    }

    /// Starts a process in a transaction of somebody else's.
    public WorkflowProcess start(
            Transaction handle, Definition definition, String owner, Duration keep) {
        return starting(
                        fresh(
                                OrderedId.fresh(),
                                definition,
                                owner,
                                Json.object(),
                                Optional.of(keep)),
                        Effect.NONE)
                .run(handle);
    }

    /// Starts a process without waiting until it is durable.
    public Durable startLater(NewProcess birth, Effect effect) {
        return store.later(starting(birth.process(), effect));
    }

    /// The same along with what is written next, unless it is not wanted any more by then.
    public Durable startSoon(NewProcess birth, Effect effect, BooleanSupplier wanted) {
        var work = starting(birth.process(), effect);
        return store.soon(
                handle -> wanted.getAsBoolean() ? Optional.of(work.run(handle)) : Optional.empty());
    }

    private WorkflowProcess fresh(
            String id,
            Definition definition,
            String owner,
            JsonNode data,
            Optional<Duration> keep) {
        var now = now();
        return new WorkflowProcess(
                id, definition, owner, definition.initial(), data, now, now, keep);
    }

    private StoreWork<WorkflowProcess> starting(WorkflowProcess process, Effect effect) {
        return handle -> {
            if (!ProcessRows.insert(handle, process, store.server())) {
                throw new IllegalStateException("there is a process " + process.id());
            }
            remember(handle, process, started(process));
            effect.on(handle, process);
            return process;
        };
    }

    private static HistoryLine started(WorkflowProcess process) {
        return new HistoryLine(
                Optional.empty(),
                process.definition().initial(),
                process.owner(),
                "started",
                process.created());
    }

    private static void remember(Transaction handle, WorkflowProcess process, HistoryLine line) {
        if (!process.is(Definition.EXECUTION)) {
            ProcessRows.remember(handle, process.id(), line);
        }
    }

    @Override
    public Optional<WorkflowProcess> move(
            String id, String state, JsonNode data, String actor, String reason) {
        var moved =
                store.write(moving(id, new Transition(state, data, actor, reason), Effect.NONE));
        moved.filter(process -> process.is(Definition.TASK) && process.ended())
                .ifPresent(task -> results.added(Json.text(task.data()).length()));
        return moved;
    }

    /// The same along with what is written next. What could not be moved stays as it is.
    public Durable moveSoon(String id, Transition step, Effect effect) {
        return store.soon(moving(id, step, effect));
    }

    private StoreWork<Optional<WorkflowProcess>> moving(String id, Transition step, Effect effect) {
        return handle -> move(handle, id, step, now(), effect);
    }

    /// The same for a process that may not have been started yet.
    ///
    /// @param started done when it is started here, in the state it moves to
    /// @param moved done when it was there and could be moved
    public Durable moveSoon(NewProcess birth, Transition step, Effect started, Effect moved) {
        var at = now();
        return store.soon(handle -> move(handle, birth, step, at, started, moved));
    }

    /// The same in a transaction of somebody else's.
    ///
    /// @param at when it moved
    /// @return empty when it was there and could not be moved
    public Optional<WorkflowProcess> move(
            Transaction handle,
            NewProcess birth,
            Transition step,
            Instant at,
            Effect started,
            Effect moved) {
        var before = birth.process();
        var after = after(before, step, at);
        if (!ProcessRows.insert(handle, after, store.server())) {
            return move(handle, birth.id(), step, at, moved);
        }
        remember(handle, before, started(before));
        rememberMove(handle, before, after, step);
        started.on(handle, after);
        return Optional.of(after);
    }

    /// Moves a process in a transaction of somebody else's.
    ///
    /// @param at when it moved
    /// @return empty when it is not there or could not be moved
    public Optional<WorkflowProcess> move(
            Transaction handle, String id, Transition step, Instant at, Effect effect) {
        var after =
                ProcessRows.find(handle, id)
                        .filter(now -> now.definition().allows(now.state(), step.state()))
                        .flatMap(before -> moved(handle, before, step, at));
        after.ifPresent(process -> effect.on(handle, process));
        return after;
    }

    /// Moves a process that somebody ended who took it for lost, as if that had not been.
    ///
    /// @param wrong the end that is taken back
    /// @return whether that was its end
    public boolean correct(
            Transaction handle,
            String id,
            Transition wrong,
            Transition step,
            Instant at,
            Effect effect) {
        var corrected =
                ProcessRows.find(handle, id)
                        .filter(now -> now.state().equals(wrong.state()))
                        .filter(now -> Json.text(now.data()).equals(Json.text(wrong.data())))
                        .map(before -> {
                            var after = after(before, step, at);
                            ProcessRows.replace(handle, before, after);
                            rememberMove(handle, before, after, step);
                            return after;
                        });
        corrected.ifPresent(process -> effect.on(handle, process));
        return corrected.isPresent();
    }

    /// Moves all to one state that have not ended and whose server is gone.
    ///
    /// @return those that were moved
    public List<WorkflowProcess> moveAbandoned(
            Definition definition, Transition step, Effect effect) {
        return store.write(handle -> {
            var moved =
                    ProcessRows.abandoned(handle, definition).stream()
                            .filter(now -> definition.allows(now.state(), step.state()))
                            .flatMap(before -> moved(handle, before, step, now()).stream())
                            .toList();
            moved.forEach(process -> effect.on(handle, process));
            return moved;
        });
    }

    private static Optional<WorkflowProcess> moved(
            Transaction handle, WorkflowProcess before, Transition step, Instant at) {
        var after = after(before, step, at);
        if (!ProcessRows.replace(handle, before, after)) {
            return Optional.empty();
        }
        rememberMove(handle, before, after, step);
        return Optional.of(after);
    }

    private static WorkflowProcess after(WorkflowProcess before, Transition step, Instant at) {
        return new WorkflowProcess(
                before.id(),
                before.definition(),
                before.owner(),
                step.state(),
                step.data(),
                before.created(),
                at,
                before.keep());
    }

    private static void rememberMove(
            Transaction handle, WorkflowProcess before, WorkflowProcess after, Transition step) {
        remember(
                handle,
                before,
                new HistoryLine(
                        Optional.of(before.state()),
                        after.state(),
                        step.actor(),
                        step.reason(),
                        after.updated()));
    }

    @Override
    public Optional<WorkflowProcess> find(String id, String owner) {
        return store.read(handle -> ProcessRows.find(handle, id))
                .filter(process -> process.owner().equals(owner))
                .filter(process -> !isOver(process));
    }

    /// Whether one that has ended was kept long enough, though no sweep has come yet.
    private boolean isOver(WorkflowProcess process) {
        return process.ended()
                && process.keep()
                        .filter(keep -> !process.created().plus(keep).isAfter(now()))
                        .isPresent();
    }

    /// How a task came to be where it is, from its start; nothing of an execution.
    public List<HistoryLine> history(String id) {
        return store.read(handle -> ProcessRows.history(handle, id));
    }

    @Override
    public List<WorkflowProcess> abandoned(Definition definition) {
        return store.read(handle -> ProcessRows.abandoned(handle, definition));
    }

    @Override
    public int sweep() {
        var total = 0;
        int forgotten;
        do {
            forgotten = store.write(handle -> ProcessRows.forget(handle, now(), SWEEP_BATCH));
            total += forgotten;
        } while (forgotten == SWEEP_BATCH);
        return total + results.sweep();
    }

    /// To the millisecond, as it is stored: what is returned equals what is found later.
    private Instant now() {
        return Instant.ofEpochMilli(clock.millis());
    }
}

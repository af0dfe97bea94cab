package dev.caisson.workflow;

import dev.caisson.call.Durable;
import dev.caisson.json.Json;
import dev.caisson.share.Budget;
import dev.caisson.store.Store;
import dev.caisson.store.Work;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import tools.jackson.databind.JsonNode;

/// Processes in the database, each with a history of its moves.
public final class StoredProcesses implements Processes {
    /// How many ended processes one transaction forgets, so that others do not wait long.
    static final int SWEEP_BATCH = 500;

    /// What the results of tasks may take.
    public static final long TASK_BYTES_DEFAULT = 1L << 30;

    private static final int ID_BYTES = 16;

    private final Store store;
    private final Clock clock;
    private final Budget results;
    private final SecureRandom random = new SecureRandom();

    public StoredProcesses(Store store, Clock clock) {
        this(store, clock, TASK_BYTES_DEFAULT);
    }

    /// @param taskBytesMax what the results of tasks may take; whoever has most loses its oldest
    public StoredProcesses(Store store, Clock clock, long taskBytesMax) {
        this.store = store;
        this.clock = clock;
        this.results = new Budget(taskBytesMax, new KeptTasks(store));
    }

    @Override
    public WorkflowProcess start(
            Definition definition, String owner, JsonNode data, Optional<Duration> keep) {
        return store.write(starting(fresh(freshId(), definition, owner, data, keep), Effect.NONE));
    }

    /// Starts a process without waiting until it is durable.
    public Durable startLater(Birth birth, Effect effect) {
        return store.later(starting(birth.process(), effect));
    }

    /// The same along with what is written next.
    public Durable startSoon(Birth birth, Effect effect) {
        return store.soon(starting(birth.process(), effect));
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

    private Work<WorkflowProcess> starting(WorkflowProcess process, Effect effect) {
        return handle -> {
            if (!ProcessRows.insert(handle, process, store.server())) {
                throw new IllegalStateException("there is a process " + process.id());
            }
            rememberStart(handle, process);
            effect.on(handle, process);
            return process;
        };
    }

    private static void rememberStart(Handle handle, WorkflowProcess process) {
        ProcessRows.remember(
                handle,
                process.id(),
                new Move(
                        Optional.empty(),
                        process.definition().initial(),
                        process.owner(),
                        "started",
                        process.created()));
    }

    @Override
    public Optional<WorkflowProcess> move(
            String id, String state, JsonNode data, String actor, String reason) {
        var moved = store.write(moving(id, new Step(state, data, actor, reason), Effect.NONE));
        moved.filter(process -> process.definition() == Definition.TASK && process.ended())
                .ifPresent(task -> results.added(Json.text(task.data()).length()));
        return moved;
    }

    /// The same along with what is written next. What could not be moved stays as it is.
    public Durable moveSoon(String id, Step step, Effect effect) {
        return store.soon(moving(id, step, effect));
    }

    private Work<Optional<WorkflowProcess>> moving(String id, Step step, Effect effect) {
        return handle -> {
            var after =
                    ProcessRows.find(handle, id)
                            .filter(now -> now.definition().allows(now.state(), step.state()))
                            .flatMap(before -> moved(handle, before, step));
            after.ifPresent(process -> effect.on(handle, process));
            return after;
        };
    }

    /// The same for a process that may not have been started yet.
    ///
    /// @param started done when it is started here, in the state it moves to
    /// @param moved done when it was there and could be moved
    public Durable moveSoon(Birth birth, Step step, Effect started, Effect moved) {
        var before = birth.process();
        return store.soon(handle -> {
            var after = after(before, step);
            if (!ProcessRows.insert(handle, after, store.server())) {
                return moving(birth.id(), step, moved).run(handle);
            }
            rememberStart(handle, before);
            rememberMove(handle, before, after, step);
            started.on(handle, after);
            return Optional.of(after);
        });
    }

    /// Moves all to one state that have not ended and whose server is gone.
    ///
    /// @return those that were moved
    public List<WorkflowProcess> moveAbandoned(Definition definition, Step step, Effect effect) {
        return store.write(handle -> {
            var moved =
                    ProcessRows.abandoned(handle, definition).stream()
                            .filter(now -> definition.allows(now.state(), step.state()))
                            .flatMap(before -> moved(handle, before, step).stream())
                            .toList();
            moved.forEach(process -> effect.on(handle, process));
            return moved;
        });
    }

    private Optional<WorkflowProcess> moved(Handle handle, WorkflowProcess before, Step step) {
        var after = after(before, step);
        if (!ProcessRows.replace(handle, before, after)) {
            return Optional.empty();
        }
        rememberMove(handle, before, after, step);
        return Optional.of(after);
    }

    private WorkflowProcess after(WorkflowProcess before, Step step) {
        return new WorkflowProcess(
                before.id(),
                before.definition(),
                before.owner(),
                step.state(),
                step.data(),
                before.created(),
                now(),
                before.keep());
    }

    private static void rememberMove(
            Handle handle, WorkflowProcess before, WorkflowProcess after, Step step) {
        ProcessRows.remember(
                handle,
                before.id(),
                new Move(
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

    /// How a process came to be where it is, from its start.
    public List<Move> history(String id) {
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

    private String freshId() {
        var bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}

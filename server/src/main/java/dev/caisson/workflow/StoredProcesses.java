package dev.caisson.workflow;

import dev.caisson.call.Durable;
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

    private static final int ID_BYTES = 16;

    private final Store store;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();

    public StoredProcesses(Store store, Clock clock) {
        this.store = store;
        this.clock = clock;
    }

    @Override
    public WorkflowProcess start(
            Definition definition, String owner, JsonNode data, Optional<Duration> keep) {
        return store.write(starting(fresh(freshId(), definition, owner, data, keep), Effect.NONE));
    }

    /// Starts a process whose id was chosen before, which must be fresh and unguessable, without
    /// waiting until it is durable.
    public Durable startLater(
            String id,
            Definition definition,
            String owner,
            JsonNode data,
            Optional<Duration> keep,
            Effect effect) {
        return store.later(starting(fresh(id, definition, owner, data, keep), effect));
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

    private static Work<WorkflowProcess> starting(WorkflowProcess process, Effect effect) {
        return handle -> {
            ProcessRows.insert(handle, process);
            ProcessRows.remember(
                    handle,
                    process.id(),
                    new Move(
                            Optional.empty(),
                            process.state(),
                            process.owner(),
                            "started",
                            process.created()));
            effect.on(handle, process);
            return process;
        };
    }

    @Override
    public Optional<WorkflowProcess> move(
            String id, String state, JsonNode data, String actor, String reason) {
        return store.write(moving(id, state, data, actor, reason, Effect.NONE));
    }

    /// The same along with what is written next. What could not be moved stays as it is.
    public Durable moveSoon(
            String id, String state, JsonNode data, String actor, String reason, Effect effect) {
        return store.soon(moving(id, state, data, actor, reason, effect));
    }

    private Work<Optional<WorkflowProcess>> moving(
            String id, String state, JsonNode data, String actor, String reason, Effect effect) {
        return handle -> {
            var after =
                    ProcessRows.find(handle, id)
                            .filter(now -> now.definition().allows(now.state(), state))
                            .flatMap(before -> moved(handle, before, state, data, actor, reason));
            after.ifPresent(process -> effect.on(handle, process));
            return after;
        };
    }

    /// Moves all that have not ended to one state, for the start of a server after a crash.
    ///
    /// @return those that were moved
    public List<WorkflowProcess> moveUnfinished(
            Definition definition, String state, JsonNode data, String actor, String reason) {
        return store.write(handle ->
                ProcessRows.unfinished(handle, definition).stream()
                        .filter(now -> definition.allows(now.state(), state))
                        .flatMap(before ->
                                moved(handle, before, state, data, actor, reason).stream())
                        .toList());
    }

    private Optional<WorkflowProcess> moved(
            Handle handle,
            WorkflowProcess before,
            String state,
            JsonNode data,
            String actor,
            String reason) {
        var now = now();
        var after =
                new WorkflowProcess(
                        before.id(),
                        before.definition(),
                        before.owner(),
                        state,
                        data,
                        before.created(),
                        now,
                        before.keep());
        if (!ProcessRows.replace(handle, before, after)) {
            return Optional.empty();
        }
        ProcessRows.remember(
                handle,
                before.id(),
                new Move(Optional.of(before.state()), state, actor, reason, now));
        return Optional.of(after);
    }

    @Override
    public Optional<WorkflowProcess> find(String id, String owner) {
        return store.read(handle -> ProcessRows.find(handle, id))
                .filter(process -> process.owner().equals(owner));
    }

    /// How a process came to be where it is, from its start.
    public List<Move> history(String id) {
        return store.read(handle -> ProcessRows.history(handle, id));
    }

    @Override
    public List<WorkflowProcess> unfinished() {
        return store.read(ProcessRows::unfinished);
    }

    @Override
    public int sweep() {
        var total = 0;
        int forgotten;
        do {
            forgotten = store.write(handle -> ProcessRows.forget(handle, now(), SWEEP_BATCH));
            total += forgotten;
        } while (forgotten == SWEEP_BATCH);
        return total;
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

package dev.caisson.tools;

import dev.caisson.call.Durable;
import dev.caisson.executions.Completion;
import dev.caisson.executions.ExecutionFilter;
import dev.caisson.executions.ExecutionIndex;
import dev.caisson.executions.ExecutionPage;
import dev.caisson.executions.ExecutionRecord;
import dev.caisson.executions.ExecutionRequest;
import dev.caisson.executions.ExecutionStatus;
import dev.caisson.executions.ListedExecution;
import dev.caisson.executions.RunJournal;
import dev.caisson.executions.StartTicket;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/// Remembers what it was told, as long as the test runs.
public final class FakeJournal implements RunJournal, ExecutionIndex {
    public final List<String> begun = new CopyOnWriteArrayList<>();
    public final Map<String, ExecutionRequest> requests = new ConcurrentHashMap<>();
    public final Map<String, Completion> ended = new ConcurrentHashMap<>();
    private final Map<String, byte[]> outputs = new ConcurrentHashMap<>();

    private final Map<String, String> owners = new ConcurrentHashMap<>();

    /// Whether a beginning can be kept.
    public boolean fails;

    /// Whether it is, as often as somebody asks.
    public final AtomicBoolean keeps = new AtomicBoolean(true);

    /// How many ends cannot be kept.
    public int endsLost;

    /// Whether that is told at once.
    public boolean atOnce;

    @Override
    public StartTicket start(
            String id, String owner, ExecutionRequest request, String code, boolean followed) {
        begun.add(id);
        owners.put(id, owner);
        requests.put(id, request);
        return fails ? StartTicket.when(lost()) : noted();
    }

    private StartTicket noted() {
        return new StartTicket() {
            @Override
            public void awaitNoted() {}

            @Override
            public boolean isKept() {
                return keeps.get();
            }
        };
    }

    @Override
    public Durable finish(String id, Completion completion, Optional<byte[]> output) {
        if (endsLost > 0) {
            endsLost--;
            if (atOnce) {
                throw new IllegalStateException("no room");
            }
            return lost();
        }
        ended.put(id, completion);
        output.ifPresent(form -> outputs.put(id, form));
        return Durable.NOW;
    }

    /// What [#finish] was given of an execution of this owner.
    public Optional<byte[]> output(String owner, String id) {
        return find(Optional.of(owner), id)
                .flatMap(found -> Optional.ofNullable(outputs.get(found.id())));
    }

    @Override
    public Optional<ExecutionRecord> find(Optional<String> owner, String id) {
        return Optional.ofNullable(owners.get(id))
                .filter(known -> owner.map(known::equals).orElse(true))
                .map(known -> record(known, id));
    }

    private ExecutionRecord record(String owner, String id) {
        var end = Optional.ofNullable(ended.get(id));
        return new ExecutionRecord(
                id,
                owner,
                end.map(one -> one.ended().status()).orElse(ExecutionStatus.RUNNING),
                Instant.EPOCH,
                end.map(_ -> Instant.EPOCH),
                Objects.requireNonNull(requests.get(id)),
                Optional.empty(),
                Optional.empty(),
                end);
    }

    @Override
    public boolean isElsewhere(String id) {
        return false;
    }

    /// All of them on one page, of those that have the status.
    @Override
    public ExecutionPage list(
            Optional<String> owner, ExecutionFilter filter, Optional<String> cursor, int size) {
        var rows =
                begun.reversed().stream()
                        .flatMap(id -> find(owner, id).stream())
                        .filter(one -> filter.status().map(one.status()::equals).orElse(true))
                        .filter(one ->
                                filter.thread().isEmpty()
                                        || filter.thread().equals(one.request().thread()))
                        .limit(size)
                        .map(FakeJournal::listed)
                        .toList();
        return new ExecutionPage(rows, Optional.empty());
    }

    private static ListedExecution listed(ExecutionRecord one) {
        return new ListedExecution(
                one.id(),
                one.owner(),
                one.status(),
                one.created(),
                one.completed(),
                one.request().traceId(),
                one.request().language(),
                one.request().thread(),
                one.request().delivery().word(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private static Durable lost() {
        return Durable.failed(new IllegalStateException("no disk"));
    }
}

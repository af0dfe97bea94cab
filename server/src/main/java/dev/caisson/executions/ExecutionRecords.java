package dev.caisson.executions;

import dev.caisson.call.Durable;
import dev.caisson.json.Json;
import dev.caisson.json.Records;
import dev.caisson.store.Store;
import dev.caisson.workflow.Definition;
import dev.caisson.workflow.Effect;
import dev.caisson.workflow.StoredProcesses;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Keeps executions. Each is a process: its record, its state and the line of its history are
/// written in one transaction.
public final class ExecutionRecords {
    /// How many a page may have.
    public static final int PAGE_MAX = 200;

    /// How many one transaction of a sweep forgets, so that others do not wait long.
    static final int SWEEP_BATCH = 200;

    private static final int ID_BYTES = 16;
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String SERVER = "server";

    private final Store store;
    private final StoredProcesses processes;
    private final Clock clock;
    private final boolean keepCode;

    /// @param keepCode whether programs are kept; their hashes always are
    public ExecutionRecords(Store store, Clock clock, boolean keepCode) {
        this.store = store;
        this.processes = new StoredProcesses(store, clock);
        this.clock = clock;
        this.keepCode = keepCode;
    }

    /// Not to be guessed, though knowing it is not enough to see anything.
    public static String freshId() {
        var random = new byte[ID_BYTES];
        RANDOM.nextBytes(random);
        return "exe_" + HexFormat.of().formatHex(random);
    }

    /// To be called before the program runs, which may begin when this is durable.
    ///
    /// @param id a fresh one
    public Durable start(String id, String owner, ExecutionRequest request, String code) {
        var kept = keepCode ? Optional.of(code) : Optional.<String>empty();
        return processes.startLater(
                id,
                Definition.EXECUTION,
                owner,
                Json.object(),
                Optional.empty(),
                (handle, _) -> ExecutionRows.insert(handle, id, request, kept));
    }

    /// Goes along with what is written next; the caller may get the answer when it is durable. One
    /// that was settled or finished before stays as it is.
    public Durable finish(String id, Completion completion) {
        var end = new End(id, completion);
        return processes.moveSoon(id, end.state(), end.data(), SERVER, end.reason(), end.effect());
    }

    /// The last move of an execution.
    private record End(String id, Completion completion, JsonNode data) {
        End(String id, Completion completion) {
            this(id, completion, Records.tree(completion));
        }

        String state() {
            return completion.status().word();
        }

        String reason() {
            return completion.error().orElse(state());
        }

        Effect effect() {
            var bytes = completion.storedBytes() + Json.bytes(data).length;
            return (handle, _) -> ExecutionRows.addBytes(handle, id, bytes);
        }
    }

    /// With its code, if that is kept.
    ///
    /// @param owner whose it must be; empty means anybody's, for those who may see all
    /// @param id its own, or that of its trace; then the newest of that trace is found
    public Optional<ExecutionRecord> find(Optional<String> owner, String id) {
        return store.read(handle ->
                ExecutionRows.find(handle, id)
                        .filter(found -> owner.isEmpty() || owner.get().equals(found.owner()))
                        .or(() -> ExecutionRows.ofTrace(handle, owner, id)));
    }

    /// The newest first, without their code.
    ///
    /// @param owner whose; empty means everybody's, for those who may see all
    /// @param cursor the `next` of the page before; empty for the newest
    /// @throws dev.caisson.call.Refusal INVALID_ARGUMENT for a cursor that is not ours
    public ExecutionPage list(
            Optional<String> owner, ExecutionFilter filter, Optional<String> cursor, int size) {
        if (size < 1 || size > PAGE_MAX) {
            throw new IllegalArgumentException("a page has 1 to " + PAGE_MAX + " executions");
        }
        var after = cursor.map(Cursor::of);
        var found =
                store.read(handle -> ExecutionRows.list(handle, owner, filter, after, size + 1));
        if (found.size() <= size) {
            return new ExecutionPage(found, Optional.empty());
        }
        var page = found.subList(0, size);
        return new ExecutionPage(page, Optional.of(Cursor.behind(page.getLast()).text()));
    }

    /// Those that run, of all owners, the oldest first.
    public List<ExecutionRecord> unfinished() {
        return store.read(ExecutionRows::unfinished);
    }

    /// Ends all that seem to run, for the start of a server: whoever ran them is gone. Only the
    /// leader of a data directory may call it.
    ///
    /// @return how many
    public int settleUnfinished(String why) {
        return processes
                .moveUnfinished(
                        Definition.EXECUTION,
                        ExecutionStatus.FAILED.word(),
                        Records.tree(Completion.without(ExecutionStatus.FAILED, why)),
                        SERVER,
                        why)
                .size();
    }

    /// Forgets ended executions that are too old, or too many. One that runs is never touched.
    ///
    /// @param farewell is told of each before it goes, to remove what belongs to it elsewhere
    /// @return how many went
    public int sweep(Retention retention, Farewell farewell) {
        var now = clock.instant();
        var total = retention.age().map(age -> sweepEndedBy(now.minus(age), farewell)).orElse(0);
        return total + retention.bytes().map(max -> sweepAbove(max, now, farewell)).orElse(0);
    }

    /// Removes what else belongs to an execution, such as its stored output. It may be told of one
    /// twice, when the server ended between the two.
    @FunctionalInterface
    public interface Farewell {
        void to(String owner, String id);
    }

    private int sweepEndedBy(Instant moment, Farewell farewell) {
        var total = 0;
        for (var old = oldest(moment); !old.isEmpty(); old = oldest(moment)) {
            forget(old, farewell);
            total += old.size();
        }
        return total;
    }

    private int sweepAbove(long max, Instant now, Farewell farewell) {
        var total = 0;
        var excess = store.read(ExecutionRows::bytes) - max;
        while (excess > 0) {
            var old = enough(oldest(now), excess);
            if (old.isEmpty()) {
                break;
            }
            forget(old, farewell);
            total += old.size();
            excess -= old.stream().mapToLong(ExecutionRows.Old::bytes).sum();
        }
        return total;
    }

    private static List<ExecutionRows.Old> enough(List<ExecutionRows.Old> old, long bytes) {
        var sum = 0L;
        for (var i = 0; i < old.size(); i++) {
            sum += old.get(i).bytes();
            if (sum >= bytes) {
                return old.subList(0, i + 1);
            }
        }
        return old;
    }

    private List<ExecutionRows.Old> oldest(Instant endedBy) {
        return store.read(handle -> ExecutionRows.oldest(handle, endedBy, SWEEP_BATCH));
    }

    private void forget(List<ExecutionRows.Old> old, Farewell farewell) {
        old.forEach(one -> farewell.to(one.owner(), one.id()));
        store.write(handle -> {
            ExecutionRows.delete(handle, old);
            return old.size();
        });
    }
}

package dev.caisson.executions;

import dev.caisson.call.Durable;
import dev.caisson.share.EqualShares;
import dev.caisson.store.Store;
import dev.caisson.workflow.Definition;
import dev.caisson.workflow.StoredProcesses;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/// Keeps executions. Each is a process: its record, its state and the line of its history are
/// written in one transaction.
public final class ExecutionRecords implements AutoCloseable {
    /// How many a page may have.
    public static final int PAGE_MAX = 200;

    /// How many one transaction of a sweep forgets, so that others do not wait long.
    static final int SWEEP_BATCH = 200;

    private static final int ID_BYTES = 16;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Store store;
    private final StoredProcesses processes;
    private final Clock clock;
    private final boolean keepCode;
    private final Optional<Beginnings> beginnings;

    /// One whose executions are in the database when they begin.
    ///
    /// @param keepCode whether programs are kept; their hashes always are
    public ExecutionRecords(Store store, Clock clock, boolean keepCode) {
        this(store, clock, keepCode, Optional.empty());
    }

    private ExecutionRecords(
            Store store, Clock clock, boolean keepCode, Optional<Beginnings> beginnings) {
        this.store = store;
        this.processes = new StoredProcesses(store, clock);
        this.clock = clock;
        this.keepCode = keepCode;
        this.beginnings = beginnings;
    }

    /// One whose executions may begin before they are in the database.
    ///
    /// @param directory for what is not there yet
    public static ExecutionRecords noting(
            Store store, Clock clock, boolean keepCode, Path directory) {
        var beginnings = new Beginnings(new StoredProcesses(store, clock), directory);
        return new ExecutionRecords(store, clock, keepCode, Optional.of(beginnings));
    }

    /// Not to be guessed, though knowing it is not enough to see anything.
    public static String freshId() {
        var random = new byte[ID_BYTES];
        RANDOM.nextBytes(random);
        return "exe_" + HexFormat.of().formatHex(random);
    }

    /// To be called before the program runs, which may begin when this is noted.
    ///
    /// @param id a fresh one
    /// @param followed whether somebody hears of it before it ends; then it is in the database when
    ///   it is noted
    public Begun start(
            String id, String owner, ExecutionRequest request, String code, boolean followed) {
        var kept = keepCode ? Optional.of(code) : Optional.<String>empty();
        var beginning = new Beginning(id, owner, clock.millis(), request, kept);
        return beginnings
                .filter(_ -> !followed)
                .map(place -> place.begin(beginning))
                .orElseGet(() -> direct(beginning));
    }

    private Begun direct(Beginning beginning) {
        return Begun.when(processes.startLater(beginning.birth(), beginning.effect()));
    }

    /// Writes the end with the next commit; the caller may get the answer when it is durable. An
    /// execution that was settled or finished before stays as it is.
    public Durable finish(String id, Completion completion) {
        var end = End.of(completion);
        return beginnings
                .map(place -> place.end(id, end))
                .orElseGet(() -> processes.moveSoon(id, end.step(), end.effect()));
    }

    /// With its code, if that is kept.
    ///
    /// @param owner whose it must be; empty means anybody's, for those who may see all
    /// @param id its own, or that of its trace; then the newest of that trace is found
    public Optional<ExecutionRecord> find(Optional<String> owner, String id) {
        // In this order: on its way to the database it is in one of the two.
        var noted =
                beginnings.flatMap(place ->
                        place.find(one ->
                                one.isCalled(id) && owner.map(one.owner()::equals).orElse(true)));
        return store.read(handle ->
                        ExecutionRows.find(handle, id)
                                .filter(found ->
                                        owner.isEmpty() || owner.get().equals(found.owner()))
                                .or(() -> ExecutionRows.ofTrace(handle, owner, id)))
                .or(() -> noted);
    }

    /// Whether one that seems to run has another server, which alone can end it.
    public boolean isElsewhere(String id) {
        return store.read(handle -> ExecutionRows.server(handle, id))
                .filter(server -> !store.server().equals(Optional.of(server)))
                .isPresent();
    }

    /// The newest first.
    ///
    /// @param owner whose; empty means everybody's, for those who may see all
    /// @param cursor the `next` of the page before; empty for the newest
    /// @throws dev.caisson.call.Refusal INVALID_ARGUMENT for a cursor that is not ours
    public ExecutionScan scan(
            Optional<String> owner, ExecutionFilter filter, Optional<String> cursor, int size) {
        return scan(owner, filter, cursor, size, ExecutionScan.TIME_MAX);
    }

    ExecutionScan scan(
            Optional<String> owner,
            ExecutionFilter filter,
            Optional<String> cursor,
            int size,
            Duration timeMax) {
        if (size < 1 || size > PAGE_MAX) {
            throw new IllegalArgumentException("a page has 1 to " + PAGE_MAX + " executions");
        }
        return new ExecutionScan(store, owner, filter, cursor.map(Cursor::of), size, timeMax);
    }

    /// The same, with the whole scan done here.
    public ExecutionPage list(
            Optional<String> owner, ExecutionFilter filter, Optional<String> cursor, int size) {
        var scan = scan(owner, filter, cursor, size);
        while (scan.next()) {
            // Everything is done in there.
        }
        return scan.page();
    }

    /// Those that run, of all owners, the oldest first.
    public List<ExecutionRecord> unfinished() {
        return store.read(ExecutionRows::unfinished);
    }

    /// Ends those that seem to run and whose server is gone.
    ///
    /// @return how many
    public int settleAbandoned(String why) {
        var end = End.of(Completion.without(ExecutionStatus.FAILED, why));
        return processes.moveAbandoned(Definition.EXECUTION, end.step(), end.effect()).size();
    }

    /// Gives lines of lists to executions that were written before there were such lines.
    ///
    /// @return how many
    public int readLines() {
        var total = 0;
        for (var ids = unread(); !ids.isEmpty(); ids = unread()) {
            for (var id : ids) {
                store.write(handle -> {
                    LineRows.read(handle, id);
                    return 1;
                });
            }
            total += ids.size();
        }
        return total;
    }

    private List<String> unread() {
        return store.read(handle -> LineRows.unread(handle, SWEEP_BATCH));
    }

    /// Ends those that processes began and left, when they ended themselves, before the database
    /// had them. Any process may call it at any time.
    ///
    /// @return how many
    public int endLeft(String why) {
        var end = End.of(Completion.without(ExecutionStatus.FAILED, why));
        return beginnings.map(place -> place.endLeft(end)).orElse(0);
    }

    /// Forgets ended executions that are too old, or too many. One that runs is never touched.
    ///
    /// @param farewell is told of each before it goes, to remove what belongs to it elsewhere
    /// @return how many went
    public int sweep(Retention retention, Farewell farewell) {
        var now = clock.instant();
        var total = retention.age().map(age -> sweepEndedBy(now.minus(age), farewell)).orElse(0);
        return total + retention.bytes().map(max -> sweepAbove(max, farewell)).orElse(0);
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

    /// The owner with most bytes loses its oldest executions first.
    private int sweepAbove(long max, Farewell farewell) {
        var total = 0;
        var bytes = store.read(ExecutionRows::bytesByOwner);
        for (var excess : EqualShares.above(bytes, max).entrySet()) {
            total += sweepOf(excess.getKey(), excess.getValue(), farewell);
        }
        return total;
    }

    private int sweepOf(String owner, long bytes, Farewell farewell) {
        var total = 0;
        var excess = bytes;
        while (excess > 0) {
            var old = enough(oldest(owner), excess);
            if (old.isEmpty()) {
                break;
            }
            forget(old, farewell);
            total += old.size();
            excess -= old.stream().mapToLong(ExecutionRows.Old::bytes).sum();
        }
        return total;
    }

    private List<ExecutionRows.Old> oldest(String owner) {
        return store.read(handle -> ExecutionRows.oldest(handle, owner, SWEEP_BATCH));
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

    /// To be called before the store is closed.
    @Override
    public void close() {
        beginnings.ifPresent(Beginnings::close);
    }
}

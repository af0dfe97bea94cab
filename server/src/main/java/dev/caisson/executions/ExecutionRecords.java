package dev.caisson.executions;

import dev.caisson.call.Durable;
import dev.caisson.call.OrderedId;
import dev.caisson.share.EqualShares;
import dev.caisson.store.Journal;
import dev.caisson.store.JournalKind;
import dev.caisson.store.Store;
import dev.caisson.workflow.Definition;
import dev.caisson.workflow.StoredProcesses;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/// Store of executions. Each is a process: its record, its state and the line of its history are
/// written in one transaction.
public final class ExecutionRecords implements RunJournal, ExecutionIndex, AutoCloseable {
    /// How many a page may have.
    public static final int PAGE_MAX = 200;

    /// How many one transaction of a sweep forgets, so that others do not wait long.
    static final int SWEEP_BATCH = 200;

    private final Store store;
    private final StoredProcesses processes;
    private final Clock clock;
    private final boolean keepCode;
    private final Optional<RunStarts> beginnings;

    /// One whose executions are in the database when they begin.
    ///
    /// @param keepCode whether programs are kept; their hashes always are
    public ExecutionRecords(Store store, Clock clock, boolean keepCode) {
        this(store, clock, keepCode, Optional.empty());
    }

    private ExecutionRecords(
            Store store, Clock clock, boolean keepCode, Optional<RunStarts> beginnings) {
        this.store = store;
        this.processes = new StoredProcesses(store, clock);
        this.clock = clock;
        this.keepCode = keepCode;
        this.beginnings = beginnings;
    }

    /// One whose executions may begin and end before they are in the database.
    ///
    /// @param directory for beginnings that are not there yet
    /// @param journal for ends that are not there yet; it knows [#journaled]
    public static ExecutionRecords noting(
            Store store, Clock clock, boolean keepCode, Path directory, Journal journal) {
        var beginnings = new RunStarts(new StoredProcesses(store, clock), directory, journal);
        return new ExecutionRecords(store, clock, keepCode, Optional.of(beginnings));
    }

    /// Ends of executions as the journal has them.
    ///
    /// @param lost why one failed that others took for lost; an end that is found later takes its
    ///   place
    public static JournalKind<?> journaled(Store store, Clock clock, String lost) {
        return new JournaledRuns(new StoredProcesses(store, clock), lost(lost, 0));
    }

    private static EndTransition lost(String why, long at) {
        return EndTransition.of(
                Completion.without(ExecutionStatus.FAILED, why), Optional.empty(), at);
    }

    /// Not to be guessed, though knowing it is not enough to see anything.
    public static String freshId() {
        return "exe_" + OrderedId.fresh();
    }

    @Override
    public StartTicket start(
            String id, String owner, ExecutionRequest request, String code, boolean followed) {
        var kept = keepCode ? Optional.of(code) : Optional.<String>empty();
        var beginning = new RunStart(id, owner, clock.millis(), request, kept);
        return beginnings
                .filter(_ -> !followed)
                .map(place -> place.begin(beginning))
                .orElseGet(() -> direct(beginning));
    }

    private StartTicket direct(RunStart beginning) {
        return StartTicket.when(processes.startLater(beginning.birth(), beginning.effect()));
    }

    @Override
    public Durable finish(String id, Completion completion, Optional<byte[]> output) {
        var end = EndTransition.of(completion, output, clock.millis());
        return beginnings
                .map(place -> place.end(id, end))
                .orElseGet(() -> processes.moveSoon(id, end.step(), end.effect()));
    }

    @Override
    public Optional<ExecutionRecord> find(Optional<String> owner, String id) {
        // In this order: on its way to the database it is in one of the two.
        return beginnings
                .flatMap(place ->
                        place.find(one ->
                                one.isCalled(id) && owner.map(one.owner()::equals).orElse(true)))
                .or(() -> stored(owner, id));
    }

    /// One whose beginning is in the database. Its end may still be in the journal.
    private Optional<ExecutionRecord> stored(Optional<String> owner, String id) {
        var found = inDatabase(owner, id);
        if (found.isPresent()
                && beginnings.filter(place -> place.ends(found.get().id())).isPresent()) {
            store.settle();
            return inDatabase(owner, id);
        }
        return found;
    }

    private Optional<ExecutionRecord> inDatabase(Optional<String> owner, String id) {
        return store.read(handle ->
                ExecutionRows.find(handle, id)
                        .filter(found -> owner.isEmpty() || owner.get().equals(found.owner()))
                        .or(() -> ExecutionRows.ofTrace(handle, owner, id)));
    }

    /// The output that the record of an execution has.
    ///
    /// @return what [#finish] was given
    public Optional<byte[]> output(String owner, String id) {
        var noted = beginnings.flatMap(place -> place.output(owner, id));
        if (noted.isPresent()) {
            return noted;
        }
        settle(id);
        return store.read(handle -> OutputRows.find(handle, owner, id));
    }

    private void settle(String id) {
        if (beginnings.filter(place -> place.ends(id)).isPresent()) {
            store.settle();
        }
    }

    /// Has everything in the database that began or ended before.
    private void settle() {
        beginnings.ifPresent(RunStarts::keepAll);
        store.settle();
    }

    @Override
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
        settle();
        return new ExecutionScan(store, owner, filter, cursor.map(Cursor::of), size, timeMax);
    }

    /// The same as [#scan], with all of it done here.
    @Override
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
        settle();
        return store.read(ExecutionRows::unfinished);
    }

    /// Ends those that seem to run and whose server is gone.
    ///
    /// @return how many
    public int settleAbandoned(String why) {
        var end = lost(why, clock.millis());
        return processes.moveAbandoned(Definition.EXECUTION, end.step(), end.effect()).size();
    }

    /// The same of those of these ids alone, for which another reason is known.
    public int settleAbandoned(Set<String> ids, String why) {
        var end = lost(why, clock.millis());
        int ended = 0;
        for (var process : processes.abandoned(Definition.EXECUTION)) {
            if (ids.contains(process.id())) {
                ended += settle(process.id(), end) ? 1 : 0;
            }
        }
        return ended;
    }

    private boolean settle(String id, EndTransition end) {
        return store.write(handle ->
                        processes.move(handle, id, end.step(), end.moment(), end.effect()))
                .isPresent();
    }

    /// Gives lines of lists to executions that were written before there were such lines.
    ///
    /// @return how many
    public int readLines() {
        var total = 0;
        for (var ids = unread(); !ids.isEmpty(); ids = unread()) {
            for (var id : ids) {
                store.write(handle -> {
                    SummaryRows.read(handle, id);
                    return 1;
                });
            }
            total += ids.size();
        }
        return total;
    }

    private List<String> unread() {
        return store.read(handle -> SummaryRows.unread(handle, SWEEP_BATCH));
    }

    /// Ends those that processes began and left, when they ended themselves, before the database
    /// had them. Any process may call it at any time.
    ///
    /// @return how many
    public int endLeft(String why) {
        var end = lost(why, clock.millis());
        return beginnings.map(place -> place.endLeft(end)).orElse(0);
    }

    /// Forgets ended executions that are too old, or too many. One that runs is never touched.
    ///
    /// @param farewell is told of each before it goes, to remove what belongs to it elsewhere
    /// @return how many went
    public int sweep(Retention retention, Farewell farewell) {
        settle();
        var now = clock.instant();
        var total = retention.age().map(age -> sweepEndedBy(now.minus(age), farewell)).orElse(0);
        return total + retention.bytes().map(max -> sweepAbove(max, farewell)).orElse(0);
    }

    /// Forgets the output that records of executions have, of those that ended before a moment.
    ///
    /// @return of how many
    public int forgetOutputBefore(Instant moment) {
        settle();
        return forgetOutput(
                () -> store.read(handle -> OutputRows.oldest(handle, moment, SWEEP_BATCH)),
                Long.MAX_VALUE);
    }

    /// The same of the oldest of one owner.
    ///
    /// @param bytes how much
    public int forgetOutputOf(String owner, long bytes) {
        return forgetOutput(
                () -> store.read(handle -> OutputRows.oldest(handle, owner, SWEEP_BATCH)), bytes);
    }

    private int forgetOutput(Supplier<List<ExecutionRows.Old>> oldest, long bytes) {
        var total = 0;
        var excess = bytes;
        while (excess > 0) {
            var old = enough(oldest.get(), excess);
            if (old.isEmpty()) {
                break;
            }
            store.write(handle -> OutputRows.forget(handle, old));
            total += old.size();
            excess -= old.stream().mapToLong(ExecutionRows.Old::bytes).sum();
        }
        return total;
    }

    /// What records of executions have of their output, by owner.
    public Map<String, Long> outputBytes() {
        settle();
        return store.read(OutputRows::bytesByOwner);
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
        beginnings.ifPresent(RunStarts::close);
    }
}

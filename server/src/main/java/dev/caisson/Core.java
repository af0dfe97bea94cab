package dev.caisson;

import dev.caisson.broker.Broker;
import dev.caisson.broker.CallRecorder;
import dev.caisson.broker.Changes;
import dev.caisson.broker.TracedCalls;
import dev.caisson.call.Caller;
import dev.caisson.call.KeyedDigest;
import dev.caisson.call.Refusal;
import dev.caisson.call.Revocations;
import dev.caisson.config.Config;
import dev.caisson.executions.ExecutionRecords;
import dev.caisson.identity.Gate;
import dev.caisson.identity.KeyGate;
import dev.caisson.identity.Keys;
import dev.caisson.identity.OpenGate;
import dev.caisson.identity.RevocationWatch;
import dev.caisson.identity.SecretFile;
import dev.caisson.identity.StrictGate;
import dev.caisson.ledger.Ledger;
import dev.caisson.ledger.LedgerRecorder;
import dev.caisson.mcp.McpServer;
import dev.caisson.rest.KeptAnswers;
import dev.caisson.rest.Rooms;
import dev.caisson.share.Part;
import dev.caisson.share.Workers;
import dev.caisson.storage.ArchiveLimits;
import dev.caisson.storage.Links;
import dev.caisson.storage.StorageFigures;
import dev.caisson.storage.StoredThreads;
import dev.caisson.store.DataLock;
import dev.caisson.store.Store;
import dev.caisson.telemetry.Faults;
import dev.caisson.telemetry.Logs;
import dev.caisson.telemetry.Metrics;
import dev.caisson.telemetry.SpanExport;
import dev.caisson.tools.FileDesk;
import dev.caisson.tools.FileResources;
import dev.caisson.tools.Journal;
import dev.caisson.webhooks.Webhooks;
import dev.caisson.workflow.StoredProcesses;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What answers calls, whatever the door: made from the configuration in the order in which it
/// starts, and closed in the opposite order.
final class Core implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Core.class);

    /// Why an execution failed that was under way when its server ended.
    static final String STOPPED = "server stopped";

    private static final Duration FIRST_ROUND = Duration.ofMinutes(1);
    private static final Duration EVERY_ROUND = Duration.ofMinutes(10);

    private final Store store;
    private final Keys keys;
    private final KeyedDigest digest;
    private final Revocations revocations = new Revocations();
    private final Metrics metrics = new Metrics();
    private final Faults faults = new Faults(metrics);
    private final Workers workers;
    private final Workshop workshop;
    private final ExecutionRecords records;
    private final Journal journal;
    private final FileDesk desk;
    private final StorageFigures figures;
    private final Broker broker;
    private final Gate gate;
    private final Caller localUser;
    private final Webhooks webhooks;
    private final KeptAnswers answers;
    private final StoredProcesses processes;
    private final List<Housekeeping.Chore> chores;
    private final McpServer mcp;
    private final ArchiveLimits archives;
    private final Opened opened;
    private final Clock clock;
    private final boolean leads;
    private final Part part;

    private Core(Config config, Clock clock, Opened opened) throws IOException {
        this.opened = opened;
        this.clock = clock;
        part = RoomSettings.part(config.shares());
        archives = RoomSettings.archives(config.files());
        var data = config.data().directory();
        store = Database.open(config.data());
        opened.add(store::close);
        var lead = lead(data);
        lead.ifPresent(lock -> opened.add(lock::close));
        leads = lead.isPresent();
        store.enlist(data, DirectoryId.of(data));
        var secret = SecretFile.read(secret(config.data()));
        digest = new KeyedDigest(secret);
        keys = new Keys(store, clock, KeyLedger.of(config, digest, clock));
        var export =
                RoomSettings.otlp(config.telemetry()).map(otlp -> SpanExport.start(otlp, metrics));
        export.ifPresent(spans -> opened.add(spans::close));
        records = ExecutionRecords.noting(store, clock, config.keep().code(), data);
        opened.add(records::close);
        workers = RoomSettings.workers(config.shares());
        opened.add(workers::close);
        var threads = new StoredThreads(store, clock, DirectoryId.of(data));
        workshop = new Workshop(config, metrics, revocations, workers, threads);
        opened.add(workshop::close);
        opened.add(Logs.redactedBy(workshop.redaction()::ofLog)::close);
        records.endLeft(STOPPED);
        journal = Journal.in(records);
        var recorder = traced(recorder(config, opened), export);
        var changes = new Changes();
        var spaces = workshop.spaces(store, clock);
        opened.add(spaces.volumes()::close);
        figures = new StorageFigures(spaces, metrics);
        var links = new Links(spaces, LinkSecrets.of(config), config.files().linkLife(), clock);
        desk = new FileDesk(spaces, links, changes);
        broker =
                new Broker(
                        workshop.tools(journal, desk, digest),
                        List.of(new FileResources(desk)),
                        List.of(),
                        changes,
                        metrics,
                        recorder,
                        clock,
                        workshop.redaction());
        var known = gate(config.auth(), keys, clock, revocations);
        gate = config.mcp().strictParams() ? new StrictGate(known) : known;
        localUser = config.mcp().strictParams() ? Caller.LOCAL.strict() : Caller.LOCAL;
        webhooks = new Webhooks(store, secret, RoomSettings.webhooks(config), clock);
        revocations.listen(webhooks::drop);
        answers = new KeptAnswers(store, RoomSettings.answers(config.keep()), clock);
        processes = new StoredProcesses(store, clock, config.keep().tasksBytes());
        mcp =
                new McpServer(
                        broker,
                        processes,
                        gate,
                        secret,
                        RoomSettings.serverInfo(
                                tools -> workshop.instructions(journal, desk, digest, tools)),
                        RoomSettings.mcp(config.mcp(), part),
                        faults,
                        metrics,
                        workers,
                        clock);
        opened.add(mcp::close);
        lead.ifPresent(_ -> settleAbandoned());
        opened.add(RevocationWatch.start(keys, revocations, clock)::close);
        chores = chores(config.keep());
        lead.ifPresent(_ -> opened.add(new Housekeeping(chores, FIRST_ROUND, EVERY_ROUND)::close));
    }

    /// Room is given back last, when everything else was removed.
    private List<Housekeeping.Chore> chores(Config.Keep keep) {
        var all = new ArrayList<>(workshop.chores(keep, records, keys, clock));
        all.add(
                new Housekeeping.Chore(
                        "runs and tasks of servers that are gone", this::settleAbandoned));
        all.add(
                new Housekeeping.Chore(
                        "results of tasks",
                        List.of("mcp.task_keep", "keep.tasks_bytes"),
                        processes::sweep));
        all.add(
                new Housekeeping.Chore(
                        "answers to requests with a key",
                        List.of("keep.answers_age", "keep.answers_bytes"),
                        answers::sweep));
        all.add(
                new Housekeeping.Chore(
                        "long results that wait to be sent",
                        List.of("keep.webhooks_bytes"),
                        webhooks::sweep));
        all.add(
                new Housekeeping.Chore(
                        "unread lines of executions",
                        () -> {
                            records.readLines();
                            return 0;
                        }));
        all.add(
                new Housekeeping.Chore(
                        "old figures of storage",
                        () -> {
                            figures.look();
                            return 0;
                        }));
        all.add(
                new Housekeeping.Chore(
                        "unused room of the database",
                        () -> {
                            store.giveRoomBack();
                            return 0;
                        }));
        return List.copyOf(all);
    }

    /// Ends what servers had under way that are gone, be they of this data directory or of another
    /// with the same database.
    private int settleAbandoned() {
        store.endLeases();
        return records.settleAbandoned(STOPPED) + mcp.settleAbandoned();
    }

    /// Does something from time to time until this is closed, in the process that leads.
    void repeat(Housekeeping.Chore chore) {
        if (leads) {
            opened.add(new Housekeeping(List.of(chore), FIRST_ROUND, EVERY_ROUND)::close);
        }
    }

    /// What is done from time to time, by the process that leads.
    List<Housekeeping.Chore> chores() {
        return chores;
    }

    /// When something cannot be opened, what was opened before it is closed.
    static Core open(Config config, Clock clock) throws IOException {
        var opened = new Opened();
        try {
            return new Core(config, clock, opened);
        } catch (IOException | RuntimeException failure) {
            opened.close();
            throw failure;
        }
    }

    /// What signs and seals.
    static Path secret(Config.Data data) {
        return data.directory().resolve("secret");
    }

    Keys keys() {
        return keys;
    }

    FileDesk desk() {
        return desk;
    }

    Workshop workshop() {
        return workshop;
    }

    /// Where callers' work is computed.
    Workers workers() {
        return workers;
    }

    /// Looks again for what programs can be written in, and tells those whose tools change by it.
    void reload() {
        workshop.reload();
        broker.replaceTools(workshop.tools(journal, desk, digest));
        LOG.info("looked again for runners");
    }

    boolean storeAnswers() {
        return store.read(handle -> handle.createQuery("SELECT 1").mapTo(Integer.class).one()) == 1;
    }

    Metrics metrics() {
        return metrics;
    }

    Faults faults() {
        return faults;
    }

    /// Whether it cleans up after servers that died.
    boolean leads() {
        return leads;
    }

    /// What REST stands on.
    Rooms rooms() {
        return new Rooms(
                broker,
                store,
                answers,
                records,
                new Ledger(store),
                keys,
                webhooks,
                workshop.liveRuns(),
                workshop.output(),
                faults,
                clock,
                desk,
                digest,
                part,
                workers,
                archives);
    }

    /// The person at this machine, over standard input and output.
    Caller localUser() {
        return localUser;
    }

    Gate gate() {
        return gate;
    }

    McpServer mcp() {
        return mcp;
    }

    @Override
    public void close() {
        opened.close();
    }

    /// Several processes may share a data directory; one of them leads and cleans up after those
    /// that died.
    private static Optional<DataLock> lead(Path directory) {
        try {
            return Optional.of(DataLock.take(directory));
        } catch (Refusal _) {
            LOG.info("sharing the data directory {} with another server", directory);
            return Optional.empty();
        }
    }

    /// Only calls that may have changed something wait for their entries.
    private CallRecorder recorder(Config config, Opened closings) {
        if (!config.ledger().enabled()) {
            return _ -> {};
        }
        var ledger = new Ledger(store, config.data().directory());
        closings.add(ledger::close);
        return new LedgerRecorder(ledger, digest, false);
    }

    private static CallRecorder traced(CallRecorder recorder, Optional<SpanExport> export) {
        return export.<CallRecorder>map(spans -> new TracedCalls(recorder, spans::add))
                .orElse(recorder);
    }

    private static Gate gate(Config.Auth auth, Keys keys, Clock clock, Revocations revocations) {
        return auth.enabled()
                ? new KeyGate(
                        keys,
                        auth.apiToken(),
                        clock,
                        auth.failuresMax(),
                        auth.failureWindow(),
                        revocations)
                : new OpenGate();
    }
}

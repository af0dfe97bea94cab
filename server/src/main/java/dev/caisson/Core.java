package dev.caisson;

import dev.caisson.actions.Actions;
import dev.caisson.actions.UpstreamActions;
import dev.caisson.broker.Broker;
import dev.caisson.broker.CallRecorder;
import dev.caisson.broker.CallRules;
import dev.caisson.broker.Recording;
import dev.caisson.broker.ToolListing;
import dev.caisson.broker.ToolOrigin;
import dev.caisson.broker.ToolVariants;
import dev.caisson.broker.TracedCalls;
import dev.caisson.call.Caller;
import dev.caisson.call.Changes;
import dev.caisson.call.KeyedDigest;
import dev.caisson.call.Refusal;
import dev.caisson.call.Revocations;
import dev.caisson.call.Toolset;
import dev.caisson.config.Version;
import dev.caisson.devtools.ReadMarks;
import dev.caisson.devtools.ThreadFiles;
import dev.caisson.door.Doors;
import dev.caisson.environments.Environments;
import dev.caisson.environments.InstalledPackages;
import dev.caisson.executions.Attempts;
import dev.caisson.executions.ExecutionRecords;
import dev.caisson.identity.Gate;
import dev.caisson.identity.KeyGate;
import dev.caisson.identity.Keys;
import dev.caisson.identity.OpenGate;
import dev.caisson.identity.ProfiledGate;
import dev.caisson.identity.RevocationWatch;
import dev.caisson.identity.SecretFile;
import dev.caisson.identity.StrictGate;
import dev.caisson.identity.Vault;
import dev.caisson.ledger.Ledger;
import dev.caisson.ledger.LedgerRecorder;
import dev.caisson.ledger.LedgerUsage;
import dev.caisson.ledger.UpstreamCalls;
import dev.caisson.mcp.McpServer;
import dev.caisson.mcp.McpSettings;
import dev.caisson.mcp.ServerInfo;
import dev.caisson.policy.ApprovalStore;
import dev.caisson.policy.RulePolicy;
import dev.caisson.policy.Rules;
import dev.caisson.profiles.ProfileWatch;
import dev.caisson.profiles.Profiles;
import dev.caisson.profiles.Quotas;
import dev.caisson.rest.IdempotencyRetention;
import dev.caisson.runs.RunProfiles;
import dev.caisson.share.Workers;
import dev.caisson.storage.Disks;
import dev.caisson.storage.FileService;
import dev.caisson.storage.FileSpaces;
import dev.caisson.storage.Links;
import dev.caisson.storage.StorageFigures;
import dev.caisson.storage.StoredThreads;
import dev.caisson.storage.Volumes;
import dev.caisson.store.DataLock;
import dev.caisson.store.DataSettings;
import dev.caisson.store.Journal;
import dev.caisson.store.Store;
import dev.caisson.telemetry.Faults;
import dev.caisson.telemetry.Logs;
import dev.caisson.telemetry.Metrics;
import dev.caisson.telemetry.SpanExport;
import dev.caisson.tools.CodeModePrompt;
import dev.caisson.tools.FileResources;
import dev.caisson.tools.StubResources;
import dev.caisson.upstream.LearnedTypes;
import dev.caisson.webhooks.Webhooks;
import dev.caisson.workflow.StoredProcesses;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Wiring of everything that answers calls, whatever the door: made with `new` from the
/// configuration in the order of [StartStep], and closed in the order of [StopStep].
final class Core implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Core.class);

    /// Why an execution failed that was under way when its server ended.
    static final String STOPPED = "server stopped; output that was still in memory is lost";

    /// Why one failed whose program waited for a person then.
    static final String WAITED = "server stopped while waiting for approval";

    private static final Duration FIRST_ROUND = Duration.ofMinutes(1);
    private static final Duration EVERY_ROUND = Duration.ofMinutes(10);

    final StopPlan stop;
    final Recovery recovery = new Recovery();
    final Clock clock;
    final Store store;
    private final Journal journal;

    /// Whether it cleans up after servers that died.
    final boolean leads;

    final KeyedDigest digest;
    final Revocations revocations = new Revocations();
    final Metrics metrics = new Metrics();
    final Faults faults = new Faults(metrics);
    final Profiles profiles;
    final Quotas quotas;
    final RunProfiles runProfiles;
    final Keys keys;
    final Vault vault;
    final ExecutionRecords records;
    final Attempts attempts;
    final UpstreamCalls upstreamCalls;
    final LedgerUsage usage;
    final LearnedTypes learned;
    final Workers workers;
    final RunServices services;
    final Environments environments;
    final InstalledPackages packages;
    final FileService files;
    final StorageFigures figures;
    final Disks disks;
    final Webhooks webhooks;
    final IdempotencyRetention answers;
    final StoredProcesses processes;
    final Doors doors;
    final Toolbox toolbox;
    final ToolVariants<ToolGroup> tools;
    final UpstreamServices upstreams;
    final Rules rules;
    final RulePolicy policy;
    final ApprovalWiring approvals;
    final Broker broker;
    final Actions actions;
    final Gate gate;

    /// The person at this machine, over standard input and output.
    final Caller localUser;

    final McpServer mcp;
    final List<Housekeeping.Chore> chores;

    private Core(Config config, Clock clock, StopPlan stop, StartWatch start) throws IOException {
        this.stop = stop;
        this.clock = clock;
        var data = config.data().directory();

        start.begin(StartStep.DATABASE);
        store = Database.open(config.data());
        stop.addQuick(StopStep.DATABASE, store::close);

        start.begin(StartStep.LEASE);
        var lead = lead(data);
        lead.ifPresent(lock -> stop.addQuick(StopStep.DATABASE, lock::close));
        leads = lead.isPresent();
        store.enlist(data, DirectoryId.of(data));
        journal =
                store.journal(
                        data,
                        List.of(
                                ExecutionRecords.journaled(store, clock, STOPPED),
                                Ledger.journaled()));
        stop.addQuick(StopStep.JOURNAL, journal::close);
        Ledger.appendLeft(store, data);

        start.begin(StartStep.SANDBOXES);
        var secret = SecretFile.read(secret(config.data()));
        digest = new KeyedDigest(secret);
        profiles = ProfileWiring.profiles(config, store, clock);
        quotas = new Quotas(store, clock);
        runProfiles = new RunProfiles(config.running().profile(), profiles, quotas);
        keys =
                new Keys(
                        store,
                        clock,
                        KeyLedger.of(config, digest, clock),
                        ProfileWiring.keyCheck(profiles));
        vault = new Vault(store, clock, config.vault().sealing(secret));
        vault.warning().ifPresent(LOG::warn);
        var export =
                config.telemetry().otlp(Version.TEXT).map(otlp -> SpanExport.start(otlp, metrics));
        export.ifPresent(spans -> stop.add(StopStep.SPANS, spans));
        records =
                ExecutionRecords.noting(
                        store, clock, config.kept().executions().code(), data, journal);
        stop.addQuick(StopStep.RECORDS, records::close);
        workers = HostSettings.workers(config.shares());
        stop.addQuick(StopStep.RECORDS, workers::close);
        attempts = new Attempts(store, clock, config.running().attempts().max());
        var threads = new StoredThreads(store, clock, DirectoryId.of(data));
        services =
                new RunServices(
                        config, metrics, revocations, workers, threads, records::output, stop);
        stop.addQuick(StopStep.DATABASE, Logs.redactedBy(services.redaction::ofLog)::close);
        environments =
                new Environments(
                        data.resolve("environments"),
                        store,
                        clock,
                        services.sandboxes,
                        WorkspaceChoice.forBakes(config, services.sandboxes.isolation()),
                        config.environments(),
                        metrics);
        stop.addQuick(StopStep.WATCHES, environments::close);
        packages = StoredPackageInstaller.packages(config, services, clock);
        processes = new StoredProcesses(store, clock, config.kept().tasks().bytesMax());

        start.begin(StartStep.RECOVERY);
        recovery.begin(RecoveryStep.JOURNALS, journal::replay);
        recovery.begin(RecoveryStep.LEFT_RUNS, () -> records.endLeft(STOPPED));
        if (leads) {
            recovery.begin(RecoveryStep.LEASES, store::endLeases);
            recovery.begin(RecoveryStep.BAKES, environments::removeLeft);
            recovery.begin(RecoveryStep.RUNS, this::settleRuns);
        }

        start.begin(StartStep.DOORS);
        upstreamCalls =
                UpstreamCalls.noting(
                        recorder(config),
                        store,
                        digest,
                        clock,
                        config.kept().upstreamCalls(),
                        (tool, caller, arguments) ->
                                services.redaction.of(tool, caller).tree(arguments, Set.of()),
                        data);
        stop.addQuick(StopStep.RECORDS, upstreamCalls::close);
        usage = new LedgerUsage(store);
        learned = new LearnedTypes(upstreamCalls, store, clock, this::learns, metrics);
        stop.addQuick(StopStep.RECORDS, learned::close);
        rules = PolicyWiring.rules(config.policy(), store, clock, metrics, stop);
        policy = new RulePolicy(rules, store, clock);
        approvals =
                new ApprovalWiring(
                        config.approvals(),
                        store,
                        processes,
                        clock,
                        digest,
                        services.redaction,
                        rules,
                        this::broker,
                        metrics);
        if (leads) {
            recovery.begin(RecoveryStep.CALLS, upstreamCalls::settleAbandoned);
            recovery.begin(RecoveryStep.APPROVALS, approvals.consent()::settleAbandoned);
        }
        var recorder = traced(policy.counting(learned), export);
        var changes = new Changes();
        var volumes =
                new Volumes(
                        config.data().threadsDirectory(),
                        services.workspaces,
                        store,
                        clock,
                        workers);
        stop.addQuick(StopStep.VOLUMES, volumes::close);
        var spaces = new FileSpaces(services.threads, volumes, metrics);
        figures = new StorageFigures(spaces, metrics);
        var links = new Links(spaces, LinkSecrets.of(config), config.files().links().life(), clock);
        files = new FileService(spaces, links, changes, runProfiles::store);
        doors =
                new Doors(
                        this::broker,
                        services.runs::takesDoors,
                        config.running().code(),
                        config.data().directory().resolve("wrappers"),
                        learned);
        stop.add(StopStep.WATCHES, doors);
        toolbox =
                new Toolbox(
                        services,
                        runProfiles,
                        config.running().tools().disabled(),
                        config.running().runCode().form(),
                        records,
                        attempts,
                        files,
                        digest,
                        workers,
                        doors,
                        this::broker,
                        learned,
                        new ThreadFiles(
                                files,
                                new ReadMarks(),
                                services.redaction,
                                caller ->
                                        Set.copyOf(
                                                runProfiles
                                                        .named(caller.profile())
                                                        .secrets()
                                                        .values()),
                                workers,
                                config.running().dev().readBeforeWrite()));
        toolbox.requireKnown();
        tools = new ToolVariants<>(ToolGroup::of, toolbox::tools, changes);
        profiles.listen(ToolGroup.renewing(tools));
        upstreams =
                new UpstreamServices(
                        config,
                        store,
                        clock,
                        vault,
                        services,
                        changes,
                        metrics,
                        UpstreamActions.recorded(this::broker),
                        stop);
        broker =
                new Broker(
                        new Broker.Sources(
                                List.of(tools, upstreams.upstreams),
                                List.of(
                                        new StubResources(this::broker, learned),
                                        new FileResources(files)),
                                List.of(CodeModePrompt.source()),
                                listing(config.mcp())),
                        new CallRules(policy, approvals.consent()),
                        changes,
                        new Recording(recorder, metrics, clock),
                        services.redaction);
        actions =
                Actions.of(
                        broker,
                        keys,
                        vault,
                        profiles,
                        files,
                        environments,
                        services.sessions,
                        upstreams.upstreams,
                        config.upstreams().apiCommands(),
                        upstreams.authorizations,
                        PolicyWiring.actions(
                                broker, rules, upstreamCalls, keys, profiles::applied, clock),
                        approvals.actions(broker));
        revocations.listen(gone -> gone.forEach(upstreams.oauth.clients::revoked));
        environments.start(tools::renew);
        upstreams.start(leads);
        var known =
                new ProfiledGate(
                        gate(config, new TokenWiring(config, clock, stop)), profiles::applied);
        gate = config.mcp().strictParams() ? new StrictGate(known) : known;
        var local = profiles.applied(Caller.LOCAL);
        localUser = config.mcp().strictParams() ? local.strict() : local;
        webhooks = new Webhooks(store, secret, config.webhooks(), clock);
        stop.add(StopStep.WEBHOOKS, webhooks);
        revocations.listen(webhooks::drop);
        answers = new IdempotencyRetention(store, config.kept().answers(), clock);
        mcp =
                new McpServer(
                        broker,
                        processes,
                        gate,
                        secret,
                        new ServerInfo("caisson", "Caisson", Version.TEXT, toolbox::instructions),
                        config.mcp().limits(),
                        faults,
                        metrics,
                        workers,
                        clock);
        stop.add(StopStep.LISTENING, mcp::endStreams);
        stop.add(StopStep.DETACHED_RUNS, mcp::endDetached);
        stop.addQuick(StopStep.WATCHES, mcp::close);
        if (leads) {
            recovery.begin(RecoveryStep.TASKS, mcp::settleAbandoned);
        }
        disks = new Disks(data, config.data().threadsDirectory(), config.files().disk(), metrics);
        stop.addQuick(StopStep.WATCHES, disks::close);
        stop.addQuick(StopStep.WATCHES, RevocationWatch.start(keys, revocations, clock)::close);
        stop.addQuick(StopStep.WATCHES, ProfileWatch.start(profiles, quotas)::close);
        chores = Chores.of(this, config.kept());
        if (leads) {
            stop.add(StopStep.CHORES, new Housekeeping(chores, FIRST_ROUND, EVERY_ROUND));
        }
    }

    /// Those that waited for a person are told apart: nothing of what they asked for was done.
    private int settleRuns() {
        var waited = new ApprovalStore(store, processes, clock).waitingRuns();
        return records.settleAbandoned(waited, WAITED) + records.settleAbandoned(STOPPED);
    }

    private boolean learns(ToolOrigin tool) {
        return upstreams.upstreams.learns(tool);
    }

    /// For what is made before it.
    private Broker broker() {
        return broker;
    }

    private static ToolListing listing(McpSettings mcp) {
        return new ToolListing(
                mcp.defaultToolsets().stream().map(Toolset::word).collect(Collectors.toSet()),
                mcp.listing());
    }

    /// When something cannot be opened, what was opened before it is closed.
    static Core open(Config config, Clock clock) throws IOException {
        try (var start = new StartWatch()) {
            return open(config, clock, start);
        }
    }

    static Core open(Config config, Clock clock, StartWatch start) throws IOException {
        var stop = new StopPlan();
        try {
            return new Core(KeptSizes.fit(config), clock, stop, start);
        } catch (IOException | RuntimeException failure) {
            stop.close();
            throw failure;
        }
    }

    /// What signs and seals.
    static Path secret(DataSettings data) {
        return data.directory().resolve("secret");
    }

    /// Looks again for what programs can be written in, and tells those whose tools change by it.
    void reload() {
        services.sandboxes.reload();
        tools.renew();
        LOG.info("runners were looked up again");
    }

    /// Bakes what ships with the product and is not there.
    ///
    /// @return what an operator should know about it
    Optional<String> bakeFirst() throws InterruptedException {
        return leads
                ? new FirstBake(environments, actions.environments()).start()
                : Optional.empty();
    }

    boolean storeAnswers() {
        return store.read(handle -> handle.query("SELECT 1").mapTo(Integer.class).one()) == 1;
    }

    @Override
    public void close() {
        stop.close();
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
    private CallRecorder recorder(Config config) {
        if (!config.ledger().enabled()) {
            return _ -> {};
        }
        return new LedgerRecorder(new Ledger(store, journal), digest, false);
    }

    private static CallRecorder traced(CallRecorder recorder, Optional<SpanExport> export) {
        return export.<CallRecorder>map(spans -> new TracedCalls(recorder, spans::add))
                .orElse(recorder);
    }

    private Gate gate(Config config, TokenWiring tokens) {
        var auth = config.auth();
        return auth.enabled()
                ? tokens.beside(
                        new KeyGate(
                                keys,
                                auth.apiToken(),
                                clock,
                                auth.failuresMax(),
                                auth.failureWindow(),
                                revocations))
                : new OpenGate();
    }
}

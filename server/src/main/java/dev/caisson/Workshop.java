package dev.caisson;

import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolSpec;
import dev.caisson.call.KeyedDigest;
import dev.caisson.call.Revocations;
import dev.caisson.config.Config;
import dev.caisson.config.Version;
import dev.caisson.executions.ExecutionRecords;
import dev.caisson.executions.Retention;
import dev.caisson.identity.Keys;
import dev.caisson.linux.HostDisk;
import dev.caisson.linux.LoopImages;
import dev.caisson.redact.Redaction;
import dev.caisson.sandbox.Doctor;
import dev.caisson.sandbox.DoctorReport;
import dev.caisson.sandbox.Isolation;
import dev.caisson.sandbox.Layer;
import dev.caisson.sandbox.MeteredResidents;
import dev.caisson.sandbox.MeteredRuns;
import dev.caisson.sandbox.PoolFigures;
import dev.caisson.sandbox.Runs;
import dev.caisson.sandbox.Sandboxes;
import dev.caisson.session.Sessions;
import dev.caisson.share.Computing;
import dev.caisson.share.Workers;
import dev.caisson.storage.Bounds;
import dev.caisson.storage.DirectoryWorkspaces;
import dev.caisson.storage.FileSpaces;
import dev.caisson.storage.ImageWorkspaces;
import dev.caisson.storage.Spool;
import dev.caisson.storage.ThreadRegistry;
import dev.caisson.storage.ThreadSweep;
import dev.caisson.storage.Threads;
import dev.caisson.storage.Volumes;
import dev.caisson.storage.WorkspaceFiles;
import dev.caisson.storage.WorkspaceMaker;
import dev.caisson.store.Store;
import dev.caisson.telemetry.Metrics;
import dev.caisson.tools.Executions;
import dev.caisson.tools.FileDesk;
import dev.caisson.tools.FilesDelete;
import dev.caisson.tools.FilesDownload;
import dev.caisson.tools.FilesList;
import dev.caisson.tools.FilesUpload;
import dev.caisson.tools.Instructions;
import dev.caisson.tools.Journal;
import dev.caisson.tools.ListRunners;
import dev.caisson.tools.LiveRuns;
import dev.caisson.tools.OutputRead;
import dev.caisson.tools.Profile;
import dev.caisson.tools.RunCode;
import dev.caisson.tools.RunOutput;
import dev.caisson.tools.SandboxExecute;
import dev.caisson.tools.SessionReset;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/// What runs code: the sandboxes, what programs leave behind, and the tools in front of both.
final class Workshop implements AutoCloseable {
    /// As many as the pool usually has sandboxes that wait.
    private static final int WORKSPACES_AHEAD = 4;

    /// How long a call waits for room on the disk that others are using.
    private static final Duration DISK_WAIT_MAX = Duration.ofSeconds(20);

    private final Sandboxes sandboxes;
    private final Runs runs;
    private final Sessions sessions;
    private final Threads threads;
    private final WorkspaceMaker maker;
    private final Path directory;
    private final Spool spool;
    private final Profile profile;
    private final Redaction redaction;
    private final RunCode.Form outputForm;
    private final LiveRuns liveRuns;
    private final Workers workers;
    private final Metrics metrics;

    /// @param revocations end what their callers have under way
    /// @param registry knows which threads have files
    Workshop(
            Config config,
            Metrics metrics,
            Revocations revocations,
            Workers workers,
            ThreadRegistry registry)
            throws IOException {
        liveRuns = new LiveRuns(revocations);
        this.workers = workers;
        profile = RoomSettings.profile(config.sandbox(), config.redact());
        redaction =
                new Redaction(
                        profile.redaction(),
                        new WorkerTurns(workers),
                        kind -> metrics.redactions().labelValues(kind).inc());
        revocations.listen(callers -> callers.forEach(redaction::forget));
        this.metrics = metrics;
        outputForm = config.sandbox().rawOutput() ? RunCode.Form.OUTPUT : RunCode.Form.TEXT;
        spool =
                new Spool(
                        config.data().directory(),
                        RoomSettings.output(config.sandbox()),
                        config.keep().outputBytes());
        sandboxes = Sandboxes.open(RoomSettings.sandboxes(config), metrics);
        maker = workspaces(config, sandboxes.isolation());
        directory = config.data().threadsDirectory();
        threads = threads(registry);
        runs = new MeteredRuns(sandboxes, metrics);
        sessions =
                new Sessions(
                        new MeteredResidents(sandboxes.residents(), metrics),
                        RoomSettings.sessions(config),
                        revocations);
        metrics.watch("caisson_sessions_active", "Sessions alive.", sessions::active);
        metrics.watch("caisson_runs_active", "Runs now.", () -> sandboxes.load().running());
        metrics.watch("caisson_runs_waiting", "Runs that wait.", () -> sandboxes.load().waiting());
        watchPool(metrics, "caisson_pool_ready", "Sandboxes that wait.", PoolFigures::ready);
        watchPool(metrics, "caisson_pool_target", "Those that should.", PoolFigures::target);
    }

    private void watchPool(
            Metrics metrics, String name, String help, ToDoubleFunction<PoolFigures> figure) {
        metrics.watch(
                name,
                help,
                "runner",
                () ->
                        sandboxes.pool().stream()
                                .collect(
                                        Collectors.toMap(
                                                PoolFigures::runner, figure::applyAsDouble)));
    }

    /// What tools say about themselves depends on the runners there are now.
    ///
    /// @param journal where every run is recorded
    /// @param digest of arguments
    List<Tool> tools(Journal journal, FileDesk desk, KeyedDigest digest) {
        var executions = executions(journal, desk, digest);
        return List.of(
                new SandboxExecute(executions, Version.TEXT),
                new SessionReset(sessions),
                new RunCode(executions, outputForm, Version.TEXT),
                new ListRunners(executions),
                new OutputRead(spool, profile, redaction, workers),
                new FilesList(desk),
                new FilesDownload(desk),
                new FilesUpload(desk),
                new FilesDelete(desk));
    }

    /// Long texts are redacted where callers' work is computed.
    private record WorkerTurns(Workers workers) implements Redaction.Turns {
        @Override
        public <T> T take(String caller, Supplier<T> work) {
            return new Computing(workers, caller).get(work::get);
        }
    }

    private Executions executions(Journal journal, FileDesk desk, KeyedDigest digest) {
        return new Executions(
                runs,
                sessions,
                threads,
                spool,
                new WorkspaceFiles(Bounds.RUN, workers),
                profile,
                journal,
                liveRuns,
                desk,
                digest,
                workers,
                redaction);
    }

    /// How to work here with the tools a caller sees, as it is now.
    String instructions(Journal journal, FileDesk desk, KeyedDigest digest, List<ToolSpec> tools) {
        return Instructions.of(executions(journal, desk, digest), tools);
    }

    /// The files of threads and volumes.
    FileSpaces spaces(Store store, Clock clock) {
        return new FileSpaces(
                threads, new Volumes(directory, maker, store, clock, workers), metrics);
    }

    /// What is removed from time to time of what programs left.
    List<Housekeeping.Chore> chores(
            Config.Keep keep, ExecutionRecords records, Keys keys, Clock clock) {
        var executions = new Retention(keep.executionsAge(), keep.executionsBytes());
        var idle = new ThreadSweep(threads, keep.threadsIdle(), keep.threadsBytes(), clock);
        return List.of(
                new Housekeeping.Chore(
                        "executions of processes that ended", () -> records.endLeft(Core.STOPPED)),
                new Housekeeping.Chore(
                        "executions",
                        List.of("keep.executions_age", "keep.executions_bytes"),
                        () -> records.sweep(executions, spool::forget)),
                new Housekeeping.Chore(
                        "outputs of executions",
                        List.of("keep.output_age", "keep.output_bytes"),
                        () ->
                                keep.outputAge()
                                                .map(age ->
                                                        spool.forgetBefore(
                                                                clock.instant().minus(age)))
                                                .orElse(0)
                                        + spool.sweepAbove()),
                new Housekeeping.Chore(
                        "threads", List.of("keep.threads_idle", "keep.threads_bytes"), idle::run),
                new Housekeeping.Chore(
                        "threads of revoked keys",
                        List.of("keep.threads_revoked"),
                        () -> removeRevoked(keep, idle, keys, clock)));
    }

    private static int removeRevoked(Config.Keep keep, ThreadSweep sweep, Keys keys, Clock clock)
            throws InterruptedException {
        if (keep.threadsRevoked().isEmpty()) {
            return 0;
        }
        var moment = clock.instant().minus(keep.threadsRevoked().get());
        return sweep.removeOf(keys.revokedBefore(moment));
    }

    Sandboxes.Load load() {
        return sandboxes.load();
    }

    List<PoolFigures> pool() {
        return sandboxes.pool();
    }

    /// What everything passes that leaves on behalf of a tool.
    Redaction redaction() {
        return redaction;
    }

    LiveRuns liveRuns() {
        return liveRuns;
    }

    RunOutput output() {
        return new RunOutput(spool, profile, redaction, workers);
    }

    void reload() {
        sandboxes.reload();
    }

    /// Such as `python 3.11.2, bash 5.2.15`.
    String languages() {
        return sandboxes.runners().available().stream()
                .map(runner -> runner.name() + " " + runner.version())
                .collect(Collectors.joining(", "));
    }

    Isolation isolation() {
        return sandboxes.isolation();
    }

    /// Attacks a sandbox of its own and says what holds.
    DoctorReport examine() throws InterruptedException {
        try (var lease = threads.ephemeral("doctor")) {
            return new Doctor(sandboxes, lease.workspace()).examine();
        }
    }

    @Override
    public void close() {
        sessions.close();
        sandboxes.close();
        threads.close();
        maker.close();
    }

    /// Sandboxes run programs of their own, so they are closed when there is nothing to run in.
    private Threads threads(ThreadRegistry registry) {
        try {
            return new Threads(directory, maker, workers, registry);
        } catch (RuntimeException failed) {
            sandboxes.close();
            throw failed;
        }
    }

    /// A file system of its own for each workspace where this machine can have it.
    private static WorkspaceMaker workspaces(Config config, Isolation isolation) {
        var disk =
                new HostDisk(
                        config.data().threadsDirectory(),
                        HostDisk.RESERVE_DEFAULT,
                        DISK_WAIT_MAX,
                        RoomSettings.part(config.shares()));
        return LoopImages.missing().isEmpty()
                ? images(config, disk)
                : new DirectoryWorkspaces(ownerOnDisk(isolation));
    }

    /// Where sandboxes wait, so do workspaces for them.
    private static WorkspaceMaker images(Config config, HostDisk disk) {
        var sandbox = config.sandbox();
        var images =
                new ImageWorkspaces(
                        new LoopImages(RoomSettings.USER_ON_DISK),
                        disk,
                        sandbox.workspaceBytes(),
                        sandbox.workspaceFiles());
        return sandbox.poolMemoryBytes() > 0
                ? images.ahead(config.data().threadsDirectory(), WORKSPACES_AHEAD)
                : images;
    }

    /// A plain directory belongs to whom sandboxes see as themselves: the server's own user when
    /// they have none of their own.
    private static Optional<Integer> ownerOnDisk(Isolation isolation) {
        return isolation.inForce().contains(Layer.OWN_USER)
                ? Optional.of(RoomSettings.USER_ON_DISK)
                : Optional.empty();
    }
}

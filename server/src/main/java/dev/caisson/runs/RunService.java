package dev.caisson.runs;

import dev.caisson.call.Call;
import dev.caisson.call.Caller;
import dev.caisson.call.EarlyAnswer;
import dev.caisson.call.KeyedDigest;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.executions.Attempt;
import dev.caisson.executions.AttemptCounter;
import dev.caisson.executions.NetworkUse;
import dev.caisson.executions.Provenance;
import dev.caisson.executions.RunJournal;
import dev.caisson.json.Json;
import dev.caisson.output.OutputCapture;
import dev.caisson.output.Spool;
import dev.caisson.redact.Redaction;
import dev.caisson.redact.Redactor;
import dev.caisson.runs.FinishedRun.WorkspaceAfter;
import dev.caisson.sandbox.Outcome;
import dev.caisson.sandbox.Run;
import dev.caisson.sandbox.Runs;
import dev.caisson.sandbox.Workspace;
import dev.caisson.session.SessionKey;
import dev.caisson.session.Sessions;
import dev.caisson.share.CallerWorkers;
import dev.caisson.share.MixedThreads;
import dev.caisson.share.Workers;
import dev.caisson.storage.FilePath;
import dev.caisson.storage.FileService;
import dev.caisson.storage.FileSpace;
import dev.caisson.storage.Lease;
import dev.caisson.storage.Listing;
import dev.caisson.storage.SubDirectory;
import dev.caisson.storage.Threads;
import dev.caisson.storage.WorkspaceFiles;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import tools.jackson.databind.node.ObjectNode;

/// Run service: turns a request into a run and a run into an execution. Runner, limits, environment
/// and workspace on the way in; status, output and files on the way back. Every tool that runs code
/// runs it here.
public final class RunService {
    private final Runs runs;
    private final Sessions sessions;
    private final Threads threads;
    private final Spool spool;
    private final WorkspaceFiles files;
    private final RunProfiles profiles;
    private final RunPlanner planner;
    private final RunRecorder recorder;
    private final LiveRuns liveRuns;
    private final FileService desk;
    private final RunChanges changes;
    private final InputFiles inputs;
    private final KeyedDigest digest;
    private final Workers workers;
    private final Redaction redaction;
    private final BackgroundRuns background;
    private final AttemptCounter attempts;
    private final RunNetworks networks;
    private final RunOutput output;
    private final MixedThreads waiting = new MixedThreads("run-");

    public RunService(
            Runs runs,
            Sessions sessions,
            Threads threads,
            Spool spool,
            WorkspaceFiles files,
            RunProfiles profiles,
            RunJournal journal,
            LiveRuns liveRuns,
            FileService desk,
            KeyedDigest digest,
            Workers workers,
            Redaction redaction,
            BackgroundRuns background,
            AttemptCounter attempts,
            RunNetworks networks) {
        this.runs = runs;
        this.sessions = sessions;
        this.threads = threads;
        this.spool = spool;
        this.files = files;
        this.profiles = profiles;
        this.recorder = new RunRecorder(journal, digest);
        this.digest = digest;
        this.workers = workers;
        this.redaction = redaction;
        this.background = background;
        this.attempts = attempts;
        this.networks = networks;
        this.output = new RunOutput(spool, profiles.base(), redaction, workers);
        this.liveRuns = liveRuns;
        this.desk = desk;
        this.changes = new RunChanges(desk);
        this.inputs = new InputFiles(desk, files);
        this.planner = new RunPlanner(runs, profiles, redaction, inputs, desk);
    }

    /// Links to the files an execution left in its thread.
    public Function<FilePath, Optional<String>> urls(Caller caller, FinishedRun execution) {
        return path ->
                execution.threadId().flatMap(id -> desk.url(caller, FileSpace.thread(id), path));
    }

    /// What an answer says about a call.
    ///
    /// @param arguments as they came
    public Envelope envelope(
            Call call,
            ToolVersion tool,
            String code,
            ObjectNode arguments,
            Provenance provenance,
            Optional<ObjectNode> metadata) {
        metadata.ifPresent(Envelope::requireFits);
        return new Envelope(
                call.trace().id().value(),
                tool.name(),
                tool.version(),
                Envelope.ofProgram(code),
                digest.of(call.caller().id(), Json.bytes(arguments)),
                provenance,
                metadata);
    }

    /// Runs a program.
    ///
    /// @param tool which asks for it
    /// @param form of the answer to a call whose program runs on
    /// @throws Refusal for arguments that cannot be met, a busy thread, or no capacity
    public FinishedRun execute(
            String tool, Call call, RunRequest request, Function<RunningReport, EarlyAnswer> form)
            throws InterruptedException {
        networks.requirePossible(call.caller());
        var attempt = request.task().map(task -> attempts.begin(call.caller().id(), task));
        var order = planner.plan(tool, call, request);
        var counted = profiles.begin(call.caller());
        try {
            var done = placed(order, attempt, form);
            counted.ended(done.usage().cpuMillis(), done.addedBytes());
            return done;
        } catch (Refusal refusal) {
            counted.giveBack();
            throw refusal;
        }
    }

    private FinishedRun placed(
            PlannedRun order, Optional<Attempt> attempt, Function<RunningReport, EarlyAnswer> form)
            throws InterruptedException {
        var request = order.request();
        var asked = System.nanoTime();
        try (var early = new EarlyReply(order.call(), request, background, output, form);
                var lease = lease(order, early);
                var volumes =
                        RunVolumes.of(
                                desk.spaces().volumes(),
                                order.caller(),
                                request.volumes(),
                                request.subPaths())) {
            var waited = Duration.ofNanos(System.nanoTime() - asked);
            var before = new AtomicReference<>(Listing.EMPTY);
            return run(
                    order,
                    new RunPlace(lease, volumes, waited, before, new AtomicBoolean()),
                    attempt,
                    early);
        }
    }

    /// A run waits for its place before it takes any of the disk.
    private Workspace workspace(PlannedRun order, RunPlace place) {
        return new Workspace.OpenedLater(() -> opened(order, place));
    }

    /// A new session opens it twice, for its interpreter and for the first program, between which
    /// nothing is written.
    private Workspace opened(PlannedRun order, RunPlace place) throws InterruptedException {
        var caller = order.caller();
        var lease = place.lease();
        var workspace = place.volumes().beside(own(order, lease));
        var request = order.request();
        var given = request.input().files();
        if (place.filled().compareAndSet(false, true)) {
            var shown = request.subPaths().workspace();
            inputs.put(caller, lease, shown, request.threadId(), given);
            boolean empty = lease.fresh() && given.isEmpty();
            place.before().set(empty ? Listing.EMPTY : before(caller, lease));
        }
        return workspace;
    }

    private Listing before(Caller caller, Lease lease) throws InterruptedException {
        var last = lease.lastListing();
        return last.isPresent() ? last.get() : files.list(caller.id(), lease.root());
    }

    /// The workspace of the thread, or the directory of it that the run is to see.
    private static Workspace own(PlannedRun order, Lease lease) {
        var path = order.request().subPaths().workspace();
        return path.isRoot()
                ? lease.workspace()
                : SubDirectory.of(lease.workspace(), lease.root(), path, true);
    }

    /// One run, from its redactor to what those who follow its files are told.
    private FinishedRun run(
            PlannedRun order, RunPlace place, Optional<Attempt> attempt, EarlyReply early)
            throws InterruptedException {
        var work = work(order, place.lease());
        var redactor = redactor(order, work.secrets());
        var live = new LiveOutput(order.id(), redactor.countedApart());
        try (var running = begin(order);
                var tools = order.request().tools().open(order.id());
                var network = networks.open(order.caller());
                var capture =
                        spool.capture(
                                order.caller(), order.id(), redactor, running.telling(live))) {
            early.watch(tools::awaited);
            running.awaiting(tools::awaited);
            if (early.isFollowed()) {
                capture.keepInFiles();
            }
            var run = run(order, place, capture).through(tools.door()).networked(network.door());
            place.volumes().endedBy(running::cancel);
            var recording =
                    recorder.begin(
                            order.call(),
                            order.request(),
                            run,
                            redactor.exactly(),
                            early.isFollowed());
            try {
                var outcome = follow(order, work, recording, live, running, early);
                tools.settle();
                network.end();
                var execution =
                        finished(order, place, run, outcome, running, capture, redactor)
                                .in(work.turn())
                                .calling(tools.figures())
                                .reaching(shown(network.uses(), redactor))
                                .trying(attempt);
                count(order, execution);
                early.ended(execution);
                recording.end(execution, running, capture.handOver());
                tellChanges(order, place, execution);
                return execution;
            } catch (InterruptedException | RuntimeException | Error failed) {
                recording.giveUp(failed);
                throw failed;
            }
        } catch (InterruptedException | RuntimeException | Error failed) {
            tellUnseen(order, place);
            throw failed;
        }
    }

    /// A program chose the names of hosts.
    private static List<NetworkUse> shown(List<NetworkUse> uses, Redactor redactor) {
        return uses.stream().map(use -> use.named(redactor.text(use.host()))).toList();
    }

    private void count(PlannedRun order, FinishedRun execution) {
        order.request()
                .task()
                .ifPresent(task ->
                        attempts.ended(
                                order.caller().id(),
                                task,
                                execution.id(),
                                execution.ending().status()));
    }

    private Outcome follow(
            PlannedRun order,
            Workplace work,
            RunRecorder.Recording recording,
            LiveOutput live,
            LiveRun running,
            EarlyReply early) {
        return new RunFollower(waiting, work, order.call(), order.profile().detachAfter(), early)
                .until(recording.permitted(), live, running, recording.begun());
    }

    private void tellChanges(PlannedRun order, RunPlace place, FinishedRun execution) {
        changes.tell(
                order.caller(),
                execution,
                place.before().get(),
                place.lease().fresh(),
                place.volumes().writable());
    }

    /// Those who follow the files of a run that broke off are told that they may be others.
    private void tellUnseen(PlannedRun order, RunPlace place) {
        if (place.lease().isOpen()) {
            changes.tellUnseen(order.caller(), order.request().threadId());
        }
    }

    private ReturnedValues values(
            PlannedRun order, RunPlace place, OutputCapture capture, Redactor redactor) {
        var lease = place.lease();
        return new ReturnedValues(
                capture,
                files,
                lease.isOpen() ? Optional.of(lease.root()) : Optional.empty(),
                order.request().subPaths().workspace(),
                order.request().threadId().isPresent(),
                spool.limits().dataBytes(),
                redactor,
                new CallerWorkers(workers, order.caller().id()));
    }

    private LiveRun begin(PlannedRun order) {
        return liveRuns.begin(
                order.id(),
                order.call(),
                order.runner().language().word(),
                order.request().threadId());
    }

    private Run run(PlannedRun order, RunPlace place, OutputCapture capture) {
        return new Run(
                        order.id(),
                        order.runner(),
                        order.request().code(),
                        order.limits(),
                        order.env().all(),
                        workspace(order, place),
                        new OutputPacing(capture, new CallerWorkers(workers, order.caller().id())),
                        order.caller().id())
                .asking(order.request().input().order());
    }

    /// In a sandbox of its own, or where the thread's interpreter is.
    private Workplace work(PlannedRun order, Lease lease) {
        var request = order.request();
        if (request.session() == RunRequest.SessionUse.NONE) {
            return new Workplace.Own(runs, order.env().secretValues());
        }
        var thread = request.threadId().orElseThrow();
        var key = SessionKey.of(order.caller(), thread, order.runner().language());
        return new SessionWork(sessions, key, request, order.env(), lease);
    }

    private Redactor redactor(PlannedRun order, Set<String> secrets) {
        return redaction.ofRun(
                order.tool(), order.caller().id(), secrets, order.request().env().values());
    }

    private WorkspaceAfter after(Caller caller, RunPlace place, Redactor redactor)
            throws InterruptedException {
        if (!place.lease().isOpen()) {
            return WorkspaceAfter.NONE;
        }
        var root = place.lease().root();
        var listing = place.lease().list(files, caller.id());
        var changed = listing.changedSince(place.before().get());
        return new WorkspaceAfter(listing, changed, Pictures.pick(files, root, changed, redactor));
    }

    /// What the run left, wrote and returned, in this order: the files are looked at before others
    /// can use the workspace again.
    private FinishedRun finished(
            PlannedRun order,
            RunPlace place,
            Run run,
            Outcome outcome,
            LiveRun running,
            OutputCapture capture,
            Redactor redactor)
            throws InterruptedException {
        var left = after(order.caller(), place, redactor);
        var output = capture.finish();
        var ending = EndingWords.of(outcome, run.limits(), running.cancelled());
        var usage = EndingWords.usage(outcome.usage().queuedAlso(place.waited()));
        var value =
                values(order, place, capture, redactor)
                        .of(outcome.value(), order.request().dataFromStdout());
        return new FinishedRun(
                run.id(),
                run.runner(),
                order.request().threadId(),
                ending,
                usage,
                output,
                value,
                left,
                redactor.events(),
                redactor,
                Advice.about(
                        order.request(),
                        order.runner(),
                        planner.absent(order),
                        ending,
                        usage,
                        run.limits(),
                        order.profile().wallMax(),
                        WorkspaceRoom.of(order.request(), run.limits(), threads),
                        output.stderr().excerpt().text()),
                Optional.empty(),
                Displays.of(outcome.value(), redactor),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private Lease lease(PlannedRun order, EarlyReply early) throws InterruptedException {
        var thread = order.request().threadId();
        if (thread.isEmpty()) {
            return WorkspaceRoom.isOwnAlone(order.request())
                    ? threads.ephemeral(order.caller().id(), order.limits().memoryBytes())
                    : threads.ephemeral(order.caller().id());
        }
        var patience = order.request().patience();
        try {
            return threads.acquire(
                    order.caller(),
                    thread.get(),
                    order.id(),
                    early.within(patience.orElse(Duration.ZERO)));
        } catch (Refusal refusal) {
            throw refusal.reason() == Reason.CONFLICT
                    ? BusyThread.advised(refusal, patience)
                    : refusal;
        }
    }
}

package dev.caisson.tools;

import dev.caisson.broker.Call;
import dev.caisson.call.Caller;
import dev.caisson.call.KeyedDigest;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.executions.ExecutionRecords;
import dev.caisson.executions.Provenance;
import dev.caisson.json.Json;
import dev.caisson.redact.Redaction;
import dev.caisson.redact.Redactor;
import dev.caisson.sandbox.Limits;
import dev.caisson.sandbox.Outcome;
import dev.caisson.sandbox.Run;
import dev.caisson.sandbox.Runner;
import dev.caisson.sandbox.Runs;
import dev.caisson.sandbox.Workspace;
import dev.caisson.session.SessionKey;
import dev.caisson.session.Sessions;
import dev.caisson.share.Computing;
import dev.caisson.share.Workers;
import dev.caisson.storage.Captured;
import dev.caisson.storage.FilePath;
import dev.caisson.storage.FileSpace;
import dev.caisson.storage.Lease;
import dev.caisson.storage.Listing;
import dev.caisson.storage.OutputCapture;
import dev.caisson.storage.Spool;
import dev.caisson.storage.SubDirectory;
import dev.caisson.storage.Threads;
import dev.caisson.storage.WorkspaceFile;
import dev.caisson.storage.WorkspaceFiles;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import tools.jackson.databind.node.ObjectNode;

/// Turns a request into a run and a run into an execution: runner, limits, environment, workspace
/// on the way in; status, output, files on the way back. Every tool that runs code runs it here.
public final class Executions {
    private final Runs runs;
    private final Sessions sessions;
    private final Threads threads;
    private final Spool spool;
    private final WorkspaceFiles files;
    private final Profile profile;
    private final Recorded recorded;
    private final LiveRuns liveRuns;
    private final FileDesk desk;
    private final RunChanges changes;
    private final KeyedDigest digest;
    private final Workers workers;
    private final Redaction redaction;

    public Executions(
            Runs runs,
            Sessions sessions,
            Threads threads,
            Spool spool,
            WorkspaceFiles files,
            Profile profile,
            Journal journal,
            LiveRuns liveRuns,
            FileDesk desk,
            KeyedDigest digest,
            Workers workers,
            Redaction redaction) {
        this.runs = runs;
        this.sessions = sessions;
        this.threads = threads;
        this.spool = spool;
        this.files = files;
        this.profile = profile;
        this.recorded = new Recorded(journal, digest);
        this.digest = digest;
        this.workers = workers;
        this.redaction = redaction;
        this.liveRuns = liveRuns;
        this.desk = desk;
        this.changes = new RunChanges(desk);
    }

    Runs runs() {
        return runs;
    }

    Sessions sessions() {
        return sessions;
    }

    Threads threads() {
        return threads;
    }

    Spool spool() {
        return spool;
    }

    /// Links to the files an execution left in its thread.
    Function<FilePath, Optional<String>> urls(Caller caller, Execution execution) {
        return path ->
                execution.threadId().flatMap(id -> desk.url(caller, FileSpace.thread(id), path));
    }

    /// How long such a link works.
    Duration linkLife() {
        return desk.links().life();
    }

    /// What an answer says about a call.
    ///
    /// @param arguments as they came
    Envelope envelope(
            Call call,
            ToolVersion tool,
            String code,
            ObjectNode arguments,
            Provenance provenance,
            Optional<ObjectNode> metadata) {
        metadata.ifPresent(Envelope::requireFits);
        return new Envelope(
                call.trace().value(),
                tool.name(),
                tool.version(),
                Envelope.ofProgram(code),
                digest.of(call.caller().id(), Json.bytes(arguments)),
                provenance,
                metadata);
    }

    Profile profile() {
        return profile;
    }

    /// A request whose arguments can be met, before anything is taken for it.
    ///
    /// @param tool which it came by
    private record Order(
            String tool, Call call, Request request, String id, Runner runner, EnvVars env) {
        Caller caller() {
            return call.caller();
        }
    }

    /// What a run has to itself until it is over.
    ///
    /// @param waited for the thread
    /// @param before what was in the workspace when it was opened
    private record Place(
            Lease lease, RunVolumes volumes, Duration waited, AtomicReference<Listing> before) {}

    /// @param tool which asks for it
    /// @throws Refusal for arguments that cannot be met, a busy thread, or no capacity
    Execution execute(String tool, Call call, Request request) throws InterruptedException {
        var order = order(tool, call, request);
        var asked = System.nanoTime();
        try (var lease = lease(order);
                var volumes =
                        RunVolumes.of(
                                desk.spaces().volumes(),
                                call.caller(),
                                request.volumes(),
                                request.subPaths())) {
            var waited = Duration.ofNanos(System.nanoTime() - asked);
            var before = new AtomicReference<>(Listing.EMPTY);
            return run(order, new Place(lease, volumes, waited, before));
        }
    }

    /// A run waits for its place before it takes any of the disk.
    private Workspace workspace(Order order, Place place) {
        return new Workspace.OpenedLater(() -> opened(order, place));
    }

    /// A new session opens it twice, for its interpreter and for the first program, between which
    /// nothing is written.
    private Workspace opened(Order order, Place place) throws InterruptedException {
        var caller = order.caller();
        var lease = place.lease();
        var workspace = place.volumes().beside(own(order, lease));
        if (!lease.fresh() && place.before().get().equals(Listing.EMPTY)) {
            place.before().set(files.list(caller.id(), lease.root()));
        }
        return workspace;
    }

    private EnvVars env(Caller caller, Request request) {
        var env = EnvVars.of(profile, request.env(), request.secretEnv());
        return request.threadId()
                .flatMap(thread ->
                        desk.baseUrl(
                                caller,
                                thread,
                                request.subPaths().workspace(),
                                limits(request).wall()))
                .map(env::servedAt)
                .orElse(env);
    }

    /// The workspace of the thread, or the directory of it that the run is to see.
    private static Workspace own(Order order, Lease lease) {
        var path = order.request().subPaths().workspace();
        return path.isRoot()
                ? lease.workspace()
                : SubDirectory.of(lease.workspace(), lease.root(), path, true);
    }

    /// What is handed over in confidence is known before anything can fail.
    private Order order(String tool, Call call, Request request) {
        var id = ExecutionRecords.freshId();
        var runner = RunnerChoice.of(runs, request.language().orElse(profile.defaultLanguage()));
        var env = env(call.caller(), request);
        redaction.learn(call.caller().id(), env.secretValues());
        redaction.learnNamed(call.caller().id(), env.namedValues());
        requireFits(request.code());
        NulCheck.require("code", request.code());
        request.envelope().metadata().ifPresent(call.notes()::described);
        if (request.session() != Request.SessionUse.NONE) {
            RunVolumes.refuseInSession(call.caller());
        }
        return new Order(tool, call, request, id, runner, env);
    }

    /// Whoever follows the files of a run that broke off is told that they may be others.
    private Execution run(Order order, Place place) throws InterruptedException {
        try {
            return runTold(order, place);
        } catch (InterruptedException | RuntimeException | Error failed) {
            if (place.lease().isOpen()) {
                changes.tellUnseen(order.caller(), order.request().threadId());
            }
            throw failed;
        }
    }

    /// Runs the program where others can follow it, and tells those who listen what it changed.
    private Execution runTold(Order order, Place place) throws InterruptedException {
        var work = work(order, place.lease());
        var redactor = redactor(order, work.secrets());
        var live = new LiveOutput(order.id(), redactor(order, work.secrets()));
        try (var running = begin(order);
                var capture =
                        spool.capture(
                                order.caller(), order.id(), redactor, running.telling(live))) {
            var run = run(order, place, capture);
            place.volumes().endedBy(running::cancel);
            var execution =
                    recorded.execution(
                            order.call(),
                            order.request(),
                            run,
                            running,
                            redactor.exactly(),
                            (permitted, begun) -> {
                                var watch = new Watch(work, order.call(), profile.detachAfter());
                                var outcome = watch.until(permitted, live, running, begun);
                                var left = after(order.caller(), place, redactor);
                                var output = capture.finish();
                                var value =
                                        values(order, place, capture, redactor)
                                                .of(
                                                        outcome.value(),
                                                        order.request().dataFromStdout());
                                return finished(
                                                order.request(),
                                                run,
                                                outcome,
                                                running.cancelled(),
                                                place.waited(),
                                                output,
                                                value,
                                                left,
                                                redactor)
                                        .in(work.turn());
                            });
            changes.tell(
                    order.caller(),
                    execution,
                    place.before().get(),
                    place.lease().fresh(),
                    place.volumes().writable());
            return execution;
        }
    }

    private ReturnedValues values(
            Order order, Place place, OutputCapture capture, Redactor redactor) {
        var lease = place.lease();
        return new ReturnedValues(
                capture,
                files,
                lease.isOpen() ? Optional.of(lease.root()) : Optional.empty(),
                order.request().subPaths().workspace(),
                order.request().threadId().isPresent(),
                spool.limits().dataBytes(),
                redactor,
                new Computing(workers, order.caller().id()));
    }

    private LiveRun begin(Order order) {
        return liveRuns.begin(
                order.id(),
                order.call(),
                order.runner().language().word(),
                order.request().threadId());
    }

    private Run run(Order order, Place place, OutputCapture capture) {
        return new Run(
                order.id(),
                order.runner(),
                order.request().code(),
                limits(order.request()),
                order.env().all(),
                workspace(order, place),
                new LongOutput(capture, new Computing(workers, order.caller().id())),
                order.caller().id());
    }

    /// In a sandbox of its own, or where the thread's interpreter is.
    private Workplace work(Order order, Lease lease) {
        var request = order.request();
        if (request.session() == Request.SessionUse.NONE) {
            return new Workplace.Own(runs, order.env().secretValues());
        }
        var thread = request.threadId().orElseThrow();
        var key = SessionKey.of(order.caller(), thread, order.runner().language());
        return new SessionWork(sessions, key, request, order.env(), lease);
    }

    private Redactor redactor(Order order, Set<String> secrets) {
        return redaction.ofRun(
                order.tool(), order.caller().id(), secrets, order.request().env().values());
    }

    /// What a run left in its workspace.
    private record Left(Listing files, List<WorkspaceFile> changed, List<Picture> pictures) {}

    private Left after(Caller caller, Place place, Redactor redactor) throws InterruptedException {
        if (!place.lease().isOpen()) {
            return new Left(Listing.EMPTY, List.of(), List.of());
        }
        var root = place.lease().root();
        var listing = files.list(caller.id(), root);
        var changed = listing.changedSince(place.before().get());
        return new Left(listing, changed, Pictures.pick(files, root, changed, redactor));
    }

    private static Execution finished(
            Request request,
            Run run,
            Outcome outcome,
            String cancelled,
            Duration waited,
            Captured output,
            Optional<ReturnedValue> value,
            Left left,
            Redactor redactor) {
        return new Execution(
                run.id(),
                run.runner(),
                request.threadId(),
                Ending.of(outcome, run.limits(), cancelled),
                outcome.usage().queuedAlso(waited),
                output,
                value,
                left.files(),
                left.changed(),
                left.pictures(),
                redactor.events(),
                redactor,
                Optional.empty());
    }

    private Lease lease(Order order) throws InterruptedException {
        var thread = order.request().threadId();
        if (thread.isEmpty()) {
            return threads.ephemeral(order.caller().id());
        }
        var patience = order.request().patience();
        try {
            return threads.acquire(
                    order.caller(), thread.get(), order.id(), patience.orElse(Duration.ZERO));
        } catch (Refusal refusal) {
            throw refusal.reason() == Reason.CONFLICT ? advised(refusal, patience) : refusal;
        }
    }

    private static Refusal advised(Refusal busy, Optional<Duration> patience) {
        return new Refusal(
                busy.reason(),
                busy.sentence()
                        + (patience.isPresent()
                                ? " Or ask to wait with wait_seconds, or use another thread."
                                : " Or use another thread."),
                busy.details());
    }

    private Limits limits(Request request) {
        return request.timeout()
                .map(wall -> profile.limits().withWall(least(wall, profile.wallMax())))
                .orElse(profile.limits());
    }

    private static Duration least(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    private void requireFits(String code) {
        var bytes = code.getBytes(StandardCharsets.UTF_8).length;
        if (bytes < 1 || bytes > profile.codeBytesMax()) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "code must be between 1 byte and %s; it has %s. Put data into files instead."
                            .formatted(Words.bytes(profile.codeBytesMax()), Words.bytes(bytes)));
        }
    }
}

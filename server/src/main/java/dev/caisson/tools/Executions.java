package dev.caisson.tools;

import dev.caisson.broker.Call;
import dev.caisson.call.Caller;
import dev.caisson.call.KeyedDigest;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.executions.ExecutionRecords;
import dev.caisson.executions.Provenance;
import dev.caisson.json.Json;
import dev.caisson.redact.Redactor;
import dev.caisson.sandbox.HandedOver;
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
    private final KeyedDigest digest;
    private final Workers workers;

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
            Workers workers) {
        this.runs = runs;
        this.sessions = sessions;
        this.threads = threads;
        this.spool = spool;
        this.files = files;
        this.profile = profile;
        this.recorded = new Recorded(journal, digest);
        this.digest = digest;
        this.workers = workers;
        this.liveRuns = liveRuns;
        this.desk = desk;
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
    private record Order(Call call, Request request, String id, Runner runner, EnvVars env) {
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

    /// @throws Refusal for arguments that cannot be met, a busy thread, or no capacity
    Execution execute(Call call, Request request) throws InterruptedException {
        var order = order(call, request);
        var asked = System.nanoTime();
        try (var lease = lease(order);
                var volumes =
                        RunVolumes.of(desk.spaces().volumes(), call.caller(), request.volumes())) {
            var waited = Duration.ofNanos(System.nanoTime() - asked);
            var before = new AtomicReference<>(Listing.EMPTY);
            return run(order, new Place(lease, volumes, waited, before));
        }
    }

    /// A run waits for its place before it takes any of the disk.
    private Workspace workspace(Order order, Place place) {
        return new Workspace.OpenedLater(() -> opened(order.caller(), place));
    }

    /// A new session opens it twice, for its interpreter and for the first program, between which
    /// nothing is written.
    private Workspace opened(Caller caller, Place place) throws InterruptedException {
        var lease = place.lease();
        var workspace = place.volumes().beside(lease.workspace());
        if (!lease.fresh() && place.before().get().equals(Listing.EMPTY)) {
            place.before().set(files.list(caller.id(), lease.root()));
        }
        return workspace;
    }

    private Order order(Call call, Request request) {
        var id = ExecutionRecords.freshId();
        var runner = RunnerChoice.of(runs, request.language().orElse(profile.defaultLanguage()));
        var env = EnvVars.of(profile, request.env(), request.secretEnv());
        requireFits(request.code());
        if (request.session() != Request.SessionUse.NONE) {
            RunVolumes.refuseInSession(call.caller());
        }
        return new Order(call, request, id, runner, env);
    }

    /// Runs the program where others can follow it, and tells those who listen what it changed.
    private Execution run(Order order, Place place) throws InterruptedException {
        var work = work(order, place.lease());
        var redactor = redactor(work.secrets());
        var live = new LiveOutput(order.id(), redactor(work.secrets()));
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
                            (permitted, begun) -> {
                                var watch = new Watch(work, order.call(), profile.detachAfter());
                                var outcome = watch.until(permitted, live, running, begun);
                                var left = after(order.caller(), place, redactor);
                                return finished(
                                                order.request(),
                                                run,
                                                outcome,
                                                running.cancelled(),
                                                place.waited(),
                                                capture.finish(),
                                                left,
                                                redactor)
                                        .in(work.turn());
                            });
            tell(order.caller(), execution, place.lease().fresh(), place.volumes().writable());
            return execution;
        }
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

    /// Tells those who listen what a run changed.
    private void tell(Caller caller, Execution execution, boolean fresh, List<String> volumes) {
        execution
                .threadId()
                .map(FileSpace::thread)
                .ifPresent(thread -> {
                    if (fresh) {
                        desk.threadsChanged(caller);
                    }
                    if (!execution.changed().isEmpty()) {
                        desk.changed(
                                caller,
                                thread,
                                execution.changed().stream()
                                        .filter(execution::isNamable)
                                        .map(WorkspaceFile::path)
                                        .toList());
                    }
                });
        volumes.forEach(name -> desk.changed(caller, FileSpace.volume(name), List.of()));
    }

    private Redactor redactor(Set<String> secrets) {
        return new Redactor(secrets, profile.redactPatterns());
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
            Left left,
            Redactor redactor) {
        return new Execution(
                run.id(),
                run.runner(),
                request.threadId(),
                Ending.of(outcome, run.limits(), cancelled),
                outcome.usage().queuedAlso(waited),
                output,
                outcome.value().map(value -> redacted(checked(value, left.files()), redactor)),
                left.files(),
                left.changed(),
                left.pictures(),
                redactor.events(),
                redactor,
                Optional.empty());
    }

    /// A program can say anything about files: the server names one that it has seen, with the size
    /// that it has seen.
    private static HandedOver checked(HandedOver value, Listing files) {
        return switch (value) {
            case HandedOver.InFile(_, var path) ->
                    files.file(FilePath.parse(path, "/workspace"))
                            .<HandedOver>map(file -> new HandedOver.InFile(file.size(), path))
                            .orElseGet(() ->
                                    new HandedOver.Unfit(
                                            "the value was too large to carry, and its file is not there"));
            case HandedOver.Value _, HandedOver.Unfit _, HandedOver.Unwritable _ -> value;
        };
    }

    private static HandedOver redacted(HandedOver value, Redactor redactor) {
        return switch (value) {
            case HandedOver.Value given -> new HandedOver.Value(redactor.tree(given.value()));
            case HandedOver.InFile inFile -> inFile;
            case HandedOver.Unfit unfit -> unfit;
            case HandedOver.Unwritable unwritable ->
                    new HandedOver.Unwritable(redactor.text(unwritable.said()));
        };
    }

    private Lease lease(Order order) throws InterruptedException {
        var thread = order.request().threadId();
        return thread.isPresent()
                ? threads.acquire(
                        order.caller(), thread.get(), order.id(), order.request().patience())
                : threads.ephemeral(order.caller().id());
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

package dev.caisson.tools;

import dev.caisson.broker.Call;
import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.executions.ExecutionRecords;
import dev.caisson.redact.Redactor;
import dev.caisson.sandbox.HandedOver;
import dev.caisson.sandbox.Limits;
import dev.caisson.sandbox.Outcome;
import dev.caisson.sandbox.Run;
import dev.caisson.sandbox.Runner;
import dev.caisson.sandbox.Runs;
import dev.caisson.session.SessionKey;
import dev.caisson.session.Sessions;
import dev.caisson.storage.Captured;
import dev.caisson.storage.FilePath;
import dev.caisson.storage.FileSpace;
import dev.caisson.storage.Lease;
import dev.caisson.storage.Listing;
import dev.caisson.storage.Spool;
import dev.caisson.storage.Threads;
import dev.caisson.storage.WorkspaceFile;
import dev.caisson.storage.WorkspaceFiles;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

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

    public Executions(
            Runs runs,
            Sessions sessions,
            Threads threads,
            Spool spool,
            WorkspaceFiles files,
            Profile profile,
            Journal journal,
            LiveRuns liveRuns,
            FileDesk desk) {
        this.runs = runs;
        this.sessions = sessions;
        this.threads = threads;
        this.spool = spool;
        this.files = files;
        this.profile = profile;
        this.recorded = new Recorded(journal);
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

    Profile profile() {
        return profile;
    }

    /// @throws Refusal for arguments that cannot be met, a busy thread, or no capacity
    Execution execute(Call call, Request request) throws InterruptedException {
        var id = ExecutionRecords.freshId();
        var runner = RunnerChoice.of(runs, request.language().orElse(profile.defaultLanguage()));
        var env = EnvVars.of(profile, request.env());
        requireFits(request.code());
        if (request.session() != Request.SessionUse.NONE) {
            RunVolumes.refuseInSession(call.caller());
        }
        var asked = System.nanoTime();
        try (var lease = lease(call, request, id);
                var volumes =
                        RunVolumes.open(
                                desk.spaces().volumes(), call.caller(), request.volumes())) {
            var waited = Duration.ofNanos(System.nanoTime() - asked);
            var before = lease.fresh() ? Listing.EMPTY : files.list(lease.root());
            var work = work(call, request, env, lease, runner);
            var redactor = redactor(work.secrets());
            var live = new LiveOutput(id, redactor(work.secrets()));
            try (var running =
                            liveRuns.begin(id, call, runner.language().word(), request.threadId());
                    var capture =
                            spool.capture(call.caller(), id, redactor, running.telling(live))) {
                var run =
                        new Run(
                                id,
                                runner,
                                request.code(),
                                limits(request),
                                env.all(),
                                volumes.beside(lease.workspace()),
                                capture,
                                call.caller().id());
                var execution =
                        recorded.execution(
                                call,
                                request,
                                run,
                                () -> {
                                    var watch = new Watch(work, call, profile.detachAfter());
                                    var outcome = watch.until(run, live, running);
                                    var after = after(lease, before, redactor);
                                    return finished(
                                                    request,
                                                    run,
                                                    outcome,
                                                    waited,
                                                    capture.finish(),
                                                    after,
                                                    redactor)
                                            .in(work.turn());
                                });
                tell(call.caller(), execution, lease.fresh(), volumes.writable());
                return execution;
            }
        }
    }

    /// In a sandbox of its own, or where the thread's interpreter is.
    private Workplace work(Call call, Request request, EnvVars env, Lease lease, Runner runner) {
        if (request.session() == Request.SessionUse.NONE) {
            return new Workplace.Own(runs, env.secretValues());
        }
        var key = SessionKey.of(call.caller(), request.threadId().orElseThrow(), runner.language());
        return new SessionWork(sessions, key, request, env, lease);
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
                                execution.changed().stream().map(WorkspaceFile::path).toList());
                    }
                });
        volumes.forEach(name -> desk.changed(caller, FileSpace.volume(name), List.of()));
    }

    private Redactor redactor(Set<String> secrets) {
        return new Redactor(secrets, profile.redactPatterns());
    }

    /// What a run left in its workspace.
    private record Left(Listing files, List<WorkspaceFile> changed, List<Picture> pictures) {}

    private Left after(Lease lease, Listing before, Redactor redactor) {
        var listing = files.list(lease.root());
        var changed = listing.changedSince(before);
        return new Left(listing, changed, Pictures.pick(files, lease.root(), changed, redactor));
    }

    private static Execution finished(
            Request request,
            Run run,
            Outcome outcome,
            Duration waited,
            Captured output,
            Left left,
            Redactor redactor) {
        return new Execution(
                run.id(),
                run.runner(),
                request.threadId(),
                Ending.of(outcome, run.limits()),
                outcome.usage().queuedAlso(waited),
                output,
                outcome.value().map(value -> redacted(value, redactor)),
                left.files(),
                left.changed(),
                left.pictures(),
                redactor.events(),
                Optional.empty());
    }

    private static HandedOver redacted(HandedOver value, Redactor redactor) {
        return switch (value) {
            case HandedOver.Value given -> new HandedOver.Value(redactor.tree(given.value()));
            case HandedOver.InFile inFile -> inFile;
            case HandedOver.Unfit unfit -> new HandedOver.Unfit(redactor.text(unfit.why()));
        };
    }

    private Lease lease(Call call, Request request, String id) throws InterruptedException {
        return request.threadId().isPresent()
                ? threads.acquire(call.caller(), request.threadId().get(), id, request.patience())
                : threads.ephemeral();
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

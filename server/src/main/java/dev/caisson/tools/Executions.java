package dev.caisson.tools;

import dev.caisson.broker.Call;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.redact.Redactor;
import dev.caisson.sandbox.HandedOver;
import dev.caisson.sandbox.Limits;
import dev.caisson.sandbox.Outcome;
import dev.caisson.sandbox.Run;
import dev.caisson.sandbox.Runs;
import dev.caisson.storage.Captured;
import dev.caisson.storage.Lease;
import dev.caisson.storage.Listing;
import dev.caisson.storage.Spool;
import dev.caisson.storage.Threads;
import dev.caisson.storage.WorkspaceFile;
import dev.caisson.storage.WorkspaceFiles;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;

/// Turns a request into a run and a run into an execution: runner, limits, environment, workspace
/// on the way in; status, output, files on the way back. Every tool that runs code runs it here.
public final class Executions {
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Runs runs;
    private final Threads threads;
    private final Spool spool;
    private final WorkspaceFiles files;
    private final Profile profile;

    public Executions(
            Runs runs, Threads threads, Spool spool, WorkspaceFiles files, Profile profile) {
        this.runs = runs;
        this.threads = threads;
        this.spool = spool;
        this.files = files;
        this.profile = profile;
    }

    Runs runs() {
        return runs;
    }

    Threads threads() {
        return threads;
    }

    Spool spool() {
        return spool;
    }

    Profile profile() {
        return profile;
    }

    /// @throws Refusal for arguments that cannot be met, a busy thread, or no capacity
    Execution execute(Call call, Request request) throws InterruptedException {
        var id = freshId();
        var runner = RunnerChoice.of(runs, request.language().orElse(profile.defaultLanguage()));
        var env = EnvVars.of(profile, request.env());
        var redactor = redactor(env);
        requireFits(request.code());
        var asked = System.nanoTime();
        try (var lease = lease(call, request, id)) {
            var waited = Duration.ofNanos(System.nanoTime() - asked);
            var before = lease.fresh() ? Listing.EMPTY : files.list(lease.root());
            var live = new LiveOutput(id, redactor(env));
            try (var capture = spool.capture(call.caller(), id, redactor, live)) {
                var run =
                        new Run(
                                id,
                                runner,
                                request.code(),
                                limits(request),
                                env.all(),
                                lease.workspace(),
                                capture);
                var outcome = new Watch(runs, call, profile.detachAfter()).until(run, live);
                var after = after(lease, before, redactor);
                return finished(request, run, outcome, waited, capture.finish(), after, redactor);
            }
        }
    }

    private Redactor redactor(EnvVars env) {
        return new Redactor(env.secretValues(), profile.redactPatterns());
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
                waitedAlso(outcome.usage(), waited),
                output,
                outcome.value().map(value -> redacted(value, redactor)),
                left.files(),
                left.changed(),
                left.pictures(),
                redactor.events());
    }

    private static Outcome.Usage waitedAlso(Outcome.Usage usage, Duration waited) {
        return new Outcome.Usage(
                usage.queueMillis() + waited.toMillis(),
                usage.wallMillis(),
                usage.cpuMillis(),
                usage.memoryPeakBytes());
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

    /// Not to be guessed, though knowing it is not enough to see anything.
    private static String freshId() {
        var random = new byte[16];
        RANDOM.nextBytes(random);
        return "exe_" + HexFormat.of().formatHex(random);
    }
}

package dev.caisson.tools;

import dev.caisson.broker.Broker;
import dev.caisson.broker.Changes;
import dev.caisson.broker.Content;
import dev.caisson.broker.ToolResult;
import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Caller;
import dev.caisson.call.KeyedDigest;
import dev.caisson.call.Revocations;
import dev.caisson.json.Json;
import dev.caisson.redact.Redaction;
import dev.caisson.sandbox.Outcome;
import dev.caisson.sandbox.Residents;
import dev.caisson.sandbox.Runs;
import dev.caisson.sandbox.Sandboxes;
import dev.caisson.session.SessionLimits;
import dev.caisson.session.Sessions;
import dev.caisson.share.TestWorkers;
import dev.caisson.storage.Bounds;
import dev.caisson.storage.LinkKeys;
import dev.caisson.storage.Links;
import dev.caisson.storage.OutputLimits;
import dev.caisson.storage.Spool;
import dev.caisson.storage.TestSpaces;
import dev.caisson.storage.Threads;
import dev.caisson.storage.WorkspaceFiles;
import dev.caisson.storage.WorkspaceMaker;
import dev.caisson.telemetry.Metrics;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The tools behind a real broker, so that arguments and results are checked against the schemas.
final class Bench {
    static final OutputLimits OUTPUT = new OutputLimits(64 << 10, 256 << 10, 1 << 20, 300_000);

    static final KeyedDigest DIGEST = new KeyedDigest(new byte[] {1});

    final Revocations revocations = new Revocations();
    final LiveRuns liveRuns = new LiveRuns(revocations);
    final Threads threads;
    final Sessions sessions;
    final Changes changes = new Changes();
    final Links links;
    final FileDesk desk;
    final Broker broker;
    final Redaction redaction;
    final FakeJournal journal = new FakeJournal();

    Bench(Path root, Runs runs, WorkspaceMaker maker, Profile profile) {
        this(root, runs, maker, profile, SessionLimits.DEFAULT);
    }

    Bench(Path root, Runs runs, WorkspaceMaker maker, Profile profile, SessionLimits limits) {
        threads = new Threads(root, maker, TestWorkers.WORKERS);
        sessions = new Sessions(residents(runs), limits, revocations);
        var spool = new Spool(root, OUTPUT, Spool.KEPT_BYTES_DEFAULT);
        var files = new WorkspaceFiles(Bounds.RUN, TestWorkers.WORKERS);
        var spaces = TestSpaces.in(root, threads, maker);
        links =
                new Links(
                        spaces,
                        new LinkKeys(List.of("a secret of tests")),
                        Links.LIFE_DEFAULT,
                        Clock.systemUTC());
        desk = new FileDesk(spaces, links, changes);
        redaction = new Redaction(profile.redaction(), Redaction.Turns.NONE, _ -> {});
        var executions =
                new Executions(
                        runs,
                        sessions,
                        threads,
                        spool,
                        files,
                        profile,
                        journal,
                        liveRuns,
                        desk,
                        DIGEST,
                        TestWorkers.WORKERS,
                        redaction);
        broker =
                new Broker(
                        List.of(
                                new SandboxExecute(executions, "9.9.9"),
                                new SessionReset(sessions),
                                new RunCode(executions, RunCode.Form.TEXT, "9.9.9"),
                                new ListRunners(executions),
                                new OutputRead(spool, profile, redaction, TestWorkers.WORKERS),
                                new FilesList(desk),
                                new FilesDownload(desk),
                                new FilesUpload(desk),
                                new FilesDelete(desk)),
                        List.of(new FileResources(desk)),
                        List.of(),
                        changes,
                        new Metrics(),
                        _ -> {},
                        Clock.systemUTC(),
                        redaction);
    }

    private static Residents residents(Runs runs) {
        return runs instanceof Sandboxes sandboxes
                ? sandboxes.residents()
                : _ ->
                        new Residents.Settling.Failed(
                                new Outcome.Blocked("no residents here", Outcome.Usage.NONE));
    }

    ToolSpec spec(String name) {
        return broker.tool(Caller.LOCAL, name).orElseThrow();
    }

    ToolResult call(String name, String arguments) throws InterruptedException {
        return call(new FakeCall(Caller.LOCAL), name, (ObjectNode) Json.parse(arguments));
    }

    ToolResult call(FakeCall call, String name, ObjectNode arguments) throws InterruptedException {
        return broker.call(call, name, arguments);
    }

    ToolResult execute(String code) throws InterruptedException {
        return call("sandbox_execute", Json.text(Json.object().put("code", code)));
    }

    static JsonNode structured(ToolResult result) {
        return result.structured().orElseThrow();
    }

    static String text(ToolResult result) {
        return ((Content.Text) result.content().getFirst()).text();
    }
}

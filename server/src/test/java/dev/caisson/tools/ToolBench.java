package dev.caisson.tools;

import dev.caisson.broker.Broker;
import dev.caisson.broker.CallRecorder;
import dev.caisson.broker.CallRules;
import dev.caisson.broker.Recording;
import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolList;
import dev.caisson.broker.ToolResult;
import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Call;
import dev.caisson.call.Caller;
import dev.caisson.call.Changes;
import dev.caisson.call.Content;
import dev.caisson.call.FakeCall;
import dev.caisson.call.KeyedDigest;
import dev.caisson.call.Revocations;
import dev.caisson.devtools.Edit;
import dev.caisson.devtools.FileGlob;
import dev.caisson.devtools.FileGrep;
import dev.caisson.devtools.Patch;
import dev.caisson.devtools.Read;
import dev.caisson.devtools.ReadMarks;
import dev.caisson.devtools.ThreadFiles;
import dev.caisson.devtools.Write;
import dev.caisson.door.DoorSettings;
import dev.caisson.door.Doors;
import dev.caisson.egress.NetworkSettings;
import dev.caisson.executions.AttemptCounter;
import dev.caisson.json.Json;
import dev.caisson.json.Records;
import dev.caisson.output.OutputLimits;
import dev.caisson.output.OutputRetention;
import dev.caisson.output.Spool;
import dev.caisson.redact.Redaction;
import dev.caisson.runs.BackgroundRuns;
import dev.caisson.runs.BackgroundSettings;
import dev.caisson.runs.LiveRuns;
import dev.caisson.runs.OwnRuns;
import dev.caisson.runs.Profile;
import dev.caisson.runs.RunFigures;
import dev.caisson.runs.RunNetworks;
import dev.caisson.runs.RunOffer;
import dev.caisson.runs.RunOutput;
import dev.caisson.runs.RunProfiles;
import dev.caisson.runs.RunService;
import dev.caisson.sandbox.Outcome;
import dev.caisson.sandbox.Residents;
import dev.caisson.sandbox.Runs;
import dev.caisson.sandbox.Sandboxes;
import dev.caisson.session.SessionLimits;
import dev.caisson.session.Sessions;
import dev.caisson.share.ShareLimit;
import dev.caisson.share.TestWorkers;
import dev.caisson.storage.FileService;
import dev.caisson.storage.Lease;
import dev.caisson.storage.LinkKeys;
import dev.caisson.storage.Links;
import dev.caisson.storage.TestSpaces;
import dev.caisson.storage.Threads;
import dev.caisson.storage.WalkBounds;
import dev.caisson.storage.WorkspaceFiles;
import dev.caisson.storage.WorkspaceMaker;
import dev.caisson.stubs.Learned;
import dev.caisson.telemetry.Metrics;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The tools behind a real broker, so that arguments and results are checked against the schemas.
public final class ToolBench {
    /// For an interrupted program of a session, on a machine that may be busy.
    private static final Duration GRACE = Duration.ofSeconds(20);

    static final OutputLimits OUTPUT =
            new OutputLimits(64 << 10, 256 << 10, 16 << 10, 1 << 20, 300_000);

    static final int BACKGROUND_MAX = 3;

    public static final KeyedDigest DIGEST = new KeyedDigest(new byte[] {1});

    /// Members of every answer about a run, whatever became of it.
    public static final List<String> ENVELOPE =
            List.of(
                    "run_id",
                    "trace_id",
                    "tool_name",
                    "tool_version",
                    "input_digest",
                    "output_digest",
                    "sandbox_image",
                    "duration_ms",
                    "approval_state");

    final Revocations revocations = new Revocations();
    final LiveRuns liveRuns = new LiveRuns(revocations);
    final BackgroundRuns background = new BackgroundRuns(new BackgroundSettings(BACKGROUND_MAX));
    final Threads threads;
    public final Sessions sessions;
    final Changes changes = new Changes();
    final Links links;
    public final FileService desk;

    @SuppressWarnings("NullAway.Init") // The doors of its tools ask for it later.
    Broker broker;

    final Redaction redaction;
    public final FakeJournal journal = new FakeJournal();

    public ToolBench(Path root, Runs runs, WorkspaceMaker maker, Profile profile) {
        this(root, runs, maker, profile, SessionLimits.DEFAULT);
    }

    ToolBench(Path root, Runs runs, WorkspaceMaker maker, Profile profile, SessionLimits limits) {
        this(root, runs, maker, profile, limits, List.of(), _ -> {});
    }

    /// @param others tools of other servers
    /// @param recorder is told of every call
    ToolBench(
            Path root,
            Runs runs,
            WorkspaceMaker maker,
            Profile profile,
            SessionLimits limits,
            List<Tool> others,
            CallRecorder recorder) {
        threads = new Threads(root, maker, TestWorkers.WORKERS);
        sessions = new Sessions(residents(runs), limits, revocations);
        var spool = new Spool(root, OUTPUT, OutputRetention.DEFAULT.bytes(), journal::output);
        var files = new WorkspaceFiles(WalkBounds.RUN, TestWorkers.WORKERS);
        var spaces = TestSpaces.in(root, threads, maker);
        links =
                new Links(
                        spaces,
                        new LinkKeys(List.of("a secret of tests")),
                        Links.LIFE_DEFAULT,
                        Clock.systemUTC());
        desk = new FileService(spaces, links, changes);
        var profiles = RunProfiles.only(profile);
        redaction = new Redaction(profile.redaction(), Redaction.Turns.NONE, _ -> {});
        var executions =
                new RunService(
                        runs,
                        sessions,
                        threads,
                        spool,
                        files,
                        profiles,
                        journal,
                        liveRuns,
                        desk,
                        DIGEST,
                        TestWorkers.WORKERS,
                        redaction,
                        background,
                        AttemptCounter.NONE,
                        new RunNetworks(
                                NetworkSettings.DEFAULT.proxies(ShareLimit.DEFAULT),
                                runs::takesDoors));
        var offer =
                new RunOffer(
                        runs,
                        profile,
                        Optional.empty(),
                        spool.limits(),
                        sessions.limits(),
                        threads.capacity(),
                        links.life());
        var own =
                new OwnRuns(
                        journal,
                        liveRuns,
                        background,
                        new RunOutput(spool, profile, redaction, TestWorkers.WORKERS));
        var doors =
                new Doors(
                        () -> broker,
                        runs::takesDoors,
                        DoorSettings.DEFAULT,
                        root.resolve("wrappers"));
        var agentFiles =
                new ThreadFiles(
                        desk, new ReadMarks(), redaction, _ -> Set.of(), TestWorkers.WORKERS, true);
        var tools =
                List.of(
                        ExecutionWait.tool(own, executions, Clock.systemUTC()),
                        ExecutionCancel.tool(own),
                        ExecutionsList.tool(journal, TestWorkers.WORKERS),
                        SandboxExecute.tool(executions, offer, doors, "9.9.9"),
                        SessionReset.tool(sessions),
                        SessionsList.tool(sessions),
                        RunCode.tool(executions, offer, doors, RunCode.Form.TEXT, "9.9.9"),
                        ListRunners.tool(offer),
                        OutputRead.tool(spool, profiles, redaction, TestWorkers.WORKERS),
                        FilesList.tool(desk),
                        FilesDownload.tool(desk),
                        FilesUpload.tool(desk),
                        FilesDelete.tool(desk),
                        ToolSearch.tool(this::broker),
                        ToolDescribe.tool(this::broker, Learned.NOTHING),
                        ToolCall.tool(this::broker),
                        Read.tool(agentFiles),
                        Write.tool(agentFiles),
                        Edit.tool(agentFiles),
                        Patch.tool(agentFiles),
                        FileGlob.tool(agentFiles),
                        FileGrep.tool(agentFiles));
        broker =
                new Broker(
                        new Broker.Sources(
                                List.of(
                                        new ToolList(tools, changes),
                                        new ToolList(others, changes)),
                                List.of(new FileResources(desk)),
                                List.of()),
                        CallRules.ALLOW_ALL,
                        changes,
                        new Recording(recorder, new Metrics(), Clock.systemUTC()),
                        redaction);
    }

    private static Residents residents(Runs runs) {
        return runs instanceof Sandboxes sandboxes
                ? sandboxes.residents(GRACE)
                : _ ->
                        new Residents.Settling.Failed(
                                new Outcome.Blocked("no residents here", Outcome.Usage.NONE));
    }

    private Broker broker() {
        return broker;
    }

    /// Takes a thread as a run does.
    public Lease acquire(Caller caller, String thread, Duration wait) throws InterruptedException {
        return threads.acquire(caller, thread, "exe_test", wait);
    }

    /// The local caller has handed this over in confidence.
    public void learn(String value) {
        redaction.learn(Caller.LOCAL.id(), List.of(value));
    }

    ToolSpec spec(String name) {
        return broker.tool(Caller.LOCAL, name).orElseThrow();
    }

    public ToolResult call(String name, String arguments) throws InterruptedException {
        return call(FakeCall.by(Caller.LOCAL), name, (ObjectNode) Json.parse(arguments));
    }

    public ToolResult call(Call call, String name, ObjectNode arguments)
            throws InterruptedException {
        return broker.call(call, name, arguments);
    }

    public ToolResult execute(String code) throws InterruptedException {
        return call("sandbox_execute", Json.text(Json.object().put("code", code)));
    }

    public static JsonNode structured(ToolResult result) {
        return result.structured().orElseThrow();
    }

    /// The whole report of a run, as REST answers with it; of any other call the structured result.
    public static JsonNode report(ToolResult result) {
        return result.report().<JsonNode>map(Records::tree).orElseGet(() -> structured(result));
    }

    /// What goes with the answer about a run for programs.
    public static JsonNode figures(ToolResult result) {
        return Records.tree(Objects.requireNonNull(result.meta().get(RunFigures.NAME)));
    }

    public static String text(ToolResult result) {
        return ((Content.Text) result.content().getFirst()).text();
    }
}

package dev.caisson.tools;

import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolResult;
import dev.caisson.broker.ToolSpec;
import dev.caisson.broker.TypedTool;
import dev.caisson.broker.TypedTool.Answer;
import dev.caisson.call.Call;
import dev.caisson.call.Content;
import dev.caisson.call.Refusal;
import dev.caisson.call.Scope;
import dev.caisson.call.StandingVolume;
import dev.caisson.door.Doors;
import dev.caisson.door.Grants;
import dev.caisson.executions.Provenance;
import dev.caisson.json.Describe;
import dev.caisson.json.Length;
import dev.caisson.json.MaxBytes;
import dev.caisson.json.Range;
import dev.caisson.json.Records;
import dev.caisson.json.SchemaOf;
import dev.caisson.runs.Envelope;
import dev.caisson.runs.ExecutionReport;
import dev.caisson.runs.ExecutionText;
import dev.caisson.runs.FinishedRun;
import dev.caisson.runs.InputFile;
import dev.caisson.runs.LimitsWish;
import dev.caisson.runs.NulCheck;
import dev.caisson.runs.Packages;
import dev.caisson.runs.ProgramText;
import dev.caisson.runs.Reports;
import dev.caisson.runs.RunAnswer;
import dev.caisson.runs.RunEnvironment;
import dev.caisson.runs.RunFigures;
import dev.caisson.runs.RunInput;
import dev.caisson.runs.RunOffer;
import dev.caisson.runs.RunRequest;
import dev.caisson.runs.RunService;
import dev.caisson.runs.RunningReport;
import dev.caisson.runs.SubPaths;
import dev.caisson.runs.ToolVersion;
import dev.caisson.runs.VolumeUse;
import dev.caisson.sandbox.Language;
import dev.caisson.storage.FilePath;
import dev.caisson.storage.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.databind.node.ObjectNode;

/// Tool that runs a program in a sandbox of its own and reports its execution.
public final class SandboxExecute {
    static final String NAME = "sandbox_execute";

    static final String TOOLS =
            "Narrows the tools the program can call, by patterns such as github.*; [] is none.";

    private final RunService executions;
    private final Doors doors;
    private final ToolVersion tool;

    /// @param version the product's
    private SandboxExecute(RunService executions, Doors doors, String version) {
        this.executions = executions;
        this.doors = doors;
        this.tool = new ToolVersion(NAME, version);
    }

    /// @param code never empty
    record Input(
            @Length(min = 1) String code,
            Optional<Language> language,
            @Describe("Seconds.") @Range(min = 1) Optional<Integer> timeout,
            @Describe("Any name for the workspace to keep.")
                    @Length(min = 1, max = Threads.ID_LENGTH_MAX)
                    Optional<String> threadId,
            @Describe("Anything of yours; handed back.") @MaxBytes(Envelope.METADATA_BYTES_MAX)
                    Optional<ObjectNode> metadata,
            Optional<Map<String, String>> envVars,
            @Describe(
                            "Names of env_vars whose values are struck from everything shown, beside"
                                    + " those like API_TOKEN, which are anyway.")
                    Optional<List<String>> secretEnvVars,
            @Describe("Seconds to wait for a busy thread.") @Range(min = 0)
                    Optional<Integer> waitSeconds,
            @Describe("Keeps the thread's interpreter alive.") Optional<Boolean> session,
            @Describe("Ends the session first.") Optional<Boolean> sessionReset,
            @Describe("Mounted at /volumes/<name>, beside those of your key.")
                    @Length(max = StandingVolume.COUNT_MAX)
                    Optional<List<VolumeUse>> volumes,
            @Describe(
                            "Takes the last line of stdout, as JSON, for result.data when there is no"
                                    + " global result.")
                    Optional<Boolean> dataFromStdout,
            @Describe(
                            "Shows one directory in place of a whole: by the name of a volume of the"
                                    + " run, or /workspace for the thread, the path of the directory"
                                    + " from its root. The program sees nothing else of it. A"
                                    + " directory that is not there is made, except in a volume that"
                                    + " is only read.")
                    @MaxBytes(SubPaths.BYTES_MAX)
                    Optional<Map<String, String>> subPaths,
            @Describe(
                            "Environments whose packages it finds, with commas between, as"
                                    + " list_runners has them; or none.")
                    @Length(min = 1, max = Packages.LENGTH_MAX)
                    Optional<String> environment,
            @Describe("An image by name, as list_runners has them, in place of this machine's own.")
                    @Length(min = 1, max = Packages.LENGTH_MAX)
                    Optional<String> image,
            @Describe("Its standard input.") @Length(max = RunInput.STDIN_BYTES_MAX)
                    Optional<String> stdin,
            @Describe("Put into /workspace before it starts.") @Length(max = RunInput.FILES_MAX)
                    Optional<List<InputFile>> files,
            @Describe(
                            "Returns the value of the last expression, as a notebook does: in Python,"
                                    + " and in sessions of Node.js.")
                    Optional<Boolean> display,
            @Describe("More, or less, than a run has that asks for nothing.")
                    Optional<LimitsWish> limits,
            @Describe("What the program belongs to; handed back, as the next three.")
                    @Length(min = 1, max = Provenance.LENGTH_MAX)
                    Optional<String> artifactId,
            @Length(min = 1, max = Provenance.LENGTH_MAX) Optional<String> artifactPath,
            @Length(min = 1, max = Provenance.LENGTH_MAX) Optional<String> ssotDocumentId,
            @Length(min = 1, max = Provenance.LENGTH_MAX) Optional<String> ssotCommit,
            @Describe("Answers at once; execution_wait has the result.")
                    Optional<Boolean> background,
            @Describe(TOOLS) @Length(max = Grants.PATTERNS_MAX) Optional<List<String>> tools,
            @Describe("Names what is tried, the same in each attempt.")
                    @Length(min = 1, max = RunRequest.TASK_LENGTH_MAX)
                    Optional<String> task) {
        Provenance provenance() {
            return new Provenance(artifactId, artifactPath, ssotDocumentId, ssotCommit);
        }
    }

    /// A run knows which of its values are secret.
    ///
    /// @param version the product's
    public static Tool tool(RunService executions, RunOffer offer, Doors doors, String version) {
        return TypedTool.ofWhole(
                        ToolSpec.named(NAME, "Run code in a sandbox", description(offer))
                                .narrowing(schema -> narrow(offer, schema))
                                .taking("language", Language.synonyms())
                                .listingOutput()
                                .unlisted(
                                        "metadata",
                                        "secret_env_vars",
                                        "wait_seconds",
                                        "volumes",
                                        "image",
                                        "session_reset",
                                        "data_from_stdout",
                                        "sub_paths",
                                        "display",
                                        "tools",
                                        "task",
                                        "attempt",
                                        "attempts",
                                        "error",
                                        "artifact_id",
                                        "artifact_path",
                                        "ssot_document_id",
                                        "ssot_commit",
                                        "signal",
                                        "stderr_omitted_bytes",
                                        "files_omitted",
                                        "retry_after_ms")
                                .orRunning(RunningReport.class)
                                .orRefused(RefusedRun.class)
                                .alsoInCode(
                                        codeDescription(offer),
                                        "code",
                                        "language",
                                        "timeout",
                                        "thread_id",
                                        "background",
                                        "task")
                                .asTask(ToolSpec.TaskUse.OPTIONAL)
                                .within(Scope.RUN),
                        Input.class,
                        RunAnswer.class,
                        new SandboxExecute(executions, doors, version)::run)
                .redactingItself()
                .knowingSecrets(SandboxExecute::secrets)
                .refusingWith(SandboxExecute::refused);
    }

    /// The schema of the whole report of a run that was not refused.
    public static ObjectNode reportSchema() {
        return SchemaOf.result(ExecutionReport.class);
    }

    private static String description(RunOffer offer) {
        return "Runs a program in an isolated sandbox and returns its output, exit code and the files"
                + " it changed. Languages: "
                + Descriptions.languages(offer)
                + ". "
                + Descriptions.installed(offer)
                + "The working directory is /workspace. Give the same thread_id in each call to keep"
                + " its files; without one they are erased. "
                + Descriptions.sessions(offer.sessions())
                + "An image written to /workspace (PNG, JPEG, GIF, WebP, SVG) is shown; so are figures"
                + " of matplotlib (plt.show). A global named result is returned as result.data. "
                + Descriptions.limits(offer)
                + Descriptions.output(offer)
                + " Example: {\"code\": \"print(6 * 7)\", \"thread_id\": \"report\"}";
    }

    /// What it says of itself in a list that is short.
    private static String codeDescription(RunOffer offer) {
        return "Runs a program in an isolated sandbox and returns its output, exit code and the files"
                + " it changed. Languages: "
                + Descriptions.languages(offer)
                + ". The working directory is /workspace. Give the same thread_id in each call to keep"
                + " its files; without one they are erased. A global named result is returned as"
                + " result.data. Print little; keep large data inside.";
    }

    private static void narrow(RunOffer offer, ObjectNode schema) {
        var profile = offer.profile();
        Descriptions.narrowLanguages(offer, schema);
        Descriptions.property(schema, "language").put("default", profile.defaultLanguage().word());
        Descriptions.property(schema, "code").put("maxLength", profile.codeBytesMax());
        Descriptions.limitTimeout(offer, schema);
        Descriptions.limitWishes(offer, schema);
        Descriptions.property(schema, "wait_seconds")
                .put("maximum", profile.waitMax().toSeconds())
                .put("default", 0);
        Descriptions.variables(offer, schema, "env_vars");
        var secrets = Descriptions.property(schema, "secret_env_vars");
        secrets.put("maxItems", RunEnvironment.SECRETS_MAX);
        ((ObjectNode) secrets.get("items")).put("maxLength", RunEnvironment.NAME_LENGTH_MAX);
        Descriptions.patterns(schema);
        Descriptions.property(schema, "session").put("default", false);
        Descriptions.property(schema, "session_reset").put("default", false);
        Descriptions.property(schema, "data_from_stdout").put("default", false);
        Descriptions.property(schema, "background").put("default", false);
        Descriptions.property(schema, "display").put("default", false);
    }

    private static Set<String> secrets(ObjectNode arguments) {
        return RunEnvironment.secretsIn(
                arguments.path("env_vars"), arguments.path("secret_env_vars"));
    }

    private Answer<RunAnswer> run(Call call, Input input, ObjectNode arguments)
            throws InterruptedException {
        input.threadId().ifPresent(id -> NulCheck.require("thread_id", id));
        input.task().ifPresent(name -> NulCheck.require("task", name));
        var envelope =
                executions.envelope(
                        call, tool, input.code(), arguments, input.provenance(), input.metadata());
        var execution =
                executions.execute(
                        NAME, call, request(call, input, envelope), RunningReport::answer);
        var shown = envelope.shownBy(execution.redactor().exactly());
        return answer(execution, shown, executions.urls(call.caller(), execution));
    }

    /// The answer about a run that is over.
    ///
    /// @param shown as it may be shown
    static Answer<RunAnswer> answer(
            FinishedRun execution, Envelope shown, Function<FilePath, Optional<String>> urls) {
        var content = new ArrayList<Content>();
        content.add(Content.text(ExecutionText.of(execution)));
        execution.pictures().forEach(picture -> content.add(picture.content()));
        return Answer.of(RunAnswer.of(execution, shown), content)
                .failed(!execution.ending().succeeded())
                .with(RunFigures.NAME, RunFigures.of(execution, shown))
                .reporting(Reports.of(execution, shown, urls));
    }

    private static ToolResult refused(Refusal refusal) {
        return new ToolResult(
                List.of(Content.text(refusal.sentence())),
                Optional.of(Records.tree(RefusedRun.of(refusal))),
                true);
    }

    private static RunRequest.SessionUse session(Input input) {
        if (input.sessionReset().orElse(false)) {
            return RunRequest.SessionUse.AFRESH;
        }
        return input.session().orElse(false)
                ? RunRequest.SessionUse.KEPT
                : RunRequest.SessionUse.NONE;
    }

    private RunRequest request(Call call, Input input, Envelope envelope) {
        return new RunRequest(
                ProgramText.unfenced(input.code()),
                input.language(),
                input.timeout().map(Duration::ofSeconds),
                input.threadId(),
                input.envVars().orElse(Map.of()),
                input.secretEnvVars().orElse(List.of()),
                session(input),
                Optional.of(Duration.ofSeconds(input.waitSeconds().orElse(0))),
                envelope,
                input.volumes().orElse(List.of()),
                input.dataFromStdout().orElse(false),
                input.subPaths().map(SubPaths::of).orElse(SubPaths.NONE),
                Packages.of(input.environment(), input.image()),
                new RunInput(
                        input.stdin(),
                        input.files().orElse(List.of()),
                        input.display().orElse(false)),
                input.limits().orElse(LimitsWish.NONE),
                input.background().orElse(false),
                doors.of(call, input.tools()),
                input.task());
    }
}

package dev.caisson.tools;

import dev.caisson.broker.Call;
import dev.caisson.broker.Content;
import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolResult;
import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Refusal;
import dev.caisson.call.Scope;
import dev.caisson.call.StandingVolume;
import dev.caisson.executions.Provenance;
import dev.caisson.json.Describe;
import dev.caisson.json.Length;
import dev.caisson.json.MaxBytes;
import dev.caisson.json.Range;
import dev.caisson.json.Records;
import dev.caisson.json.SchemaOf;
import dev.caisson.sandbox.Language;
import dev.caisson.storage.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/// Runs a program in a sandbox of its own and says what happened.
public final class SandboxExecute implements Tool {
    static final String NAME = "sandbox_execute";

    private final Executions executions;
    private final ToolVersion tool;
    private final ToolSpec spec;

    /// @param code never empty
    record Input(
            @Describe("The program.") @Length(min = 1) String code,
            @Describe("What it is written in.") Optional<Language> language,
            @Describe("Seconds after which it is stopped.") @Range(min = 1)
                    Optional<Integer> timeout,
            @Describe(
                            "A name of your choice for a workspace that is kept: files in /workspace"
                                    + " are there again in the next call with the same name. Without"
                                    + " it the workspace is erased after the run.")
                    @Length(min = 1, max = Threads.ID_LENGTH_MAX)
                    Optional<String> threadId,
            @Describe("Anything of yours, up to 16 KiB; handed back with the result.")
                    @MaxBytes(Envelope.METADATA_BYTES_MAX)
                    Optional<ObjectNode> metadata,
            @Describe(
                            "Environment variables. Names are capital letters, digits and"
                                    + " underscores, and start with a letter.")
                    Optional<Map<String, String>> envVars,
            @Describe(
                            "Which of env_vars are secret, by name: their values are struck from"
                                    + " everything the run shows. Those whose names say so, such as"
                                    + " API_TOKEN, are anyway.")
                    Optional<List<String>> secretEnvVars,
            @Describe(
                            "How many seconds to wait when another call uses the thread; 0 answers"
                                    + " at once.")
                    @Range(min = 0)
                    Optional<Integer> waitSeconds,
            @Describe(
                            "Keeps the interpreter of the thread alive between calls, which needs a"
                                    + " thread_id: variables, functions, imports, the working"
                                    + " directory, environment variables and background processes"
                                    + " are there in the next call with session. Each language of a"
                                    + " thread has its own.")
                    Optional<Boolean> session,
            @Describe("Ends the thread's session in this language first, and begins a new one.")
                    Optional<Boolean> sessionReset,
            @Describe(
                            "Volumes to mount, each at /volumes/<name>, beside those your key has in"
                                    + " every run.")
                    @Length(max = StandingVolume.COUNT_MAX)
                    Optional<List<VolumeUse>> volumes,
            @Describe(
                            "Takes the last line of stdout, as JSON, for result.data when the program"
                                    + " hands over no result; for every language.")
                    Optional<Boolean> dataFromStdout,
            @Describe(
                            "Shows one directory in place of a whole: by the name of a volume of the"
                                    + " run, or /workspace for the thread, the path of the directory"
                                    + " from its root. The program sees nothing else of it. A"
                                    + " directory that is not there is made, except in a volume that"
                                    + " is only read.")
                    @MaxBytes(SubPaths.BYTES_MAX)
                    Optional<Map<String, String>> subPaths,
            @Describe("What the program belongs to; handed back, as the next three.")
                    @Length(min = 1, max = Provenance.LENGTH_MAX)
                    Optional<String> artifactId,
            @Length(min = 1, max = Provenance.LENGTH_MAX) Optional<String> artifactPath,
            @Length(min = 1, max = Provenance.LENGTH_MAX) Optional<String> ssotDocumentId,
            @Length(min = 1, max = Provenance.LENGTH_MAX) Optional<String> ssotCommit) {
        Provenance provenance() {
            return new Provenance(artifactId, artifactPath, ssotDocumentId, ssotCommit);
        }
    }

    /// @param version the product's
    public SandboxExecute(Executions executions, String version) {
        this.executions = executions;
        this.tool = new ToolVersion(NAME, version);
        this.spec =
                ToolSpec.of(
                                NAME,
                                "Run code in a sandbox",
                                description(executions),
                                schema(executions))
                        .returning(SchemaOf.result(ExecutionReport.class, RefusedRun.class))
                        .asTask(ToolSpec.TaskUse.OPTIONAL)
                        .within(Scope.RUN);
    }

    /// The schema of the report of a run that was not refused.
    public static ObjectNode reportSchema() {
        return SchemaOf.result(ExecutionReport.class);
    }

    private static String description(Executions executions) {
        return "Runs a program in an isolated sandbox of its own and returns its output, exit code"
                + " and files. Languages: "
                + Descriptions.languages(executions)
                + "; default "
                + executions.profile().defaultLanguage().word()
                + ". The working directory is /workspace; it is kept between calls only with a"
                + " thread_id. Nothing else is kept, no process and no variable, except with session."
                + Descriptions.sessions(executions.sessions().limits())
                + " A global named"
                + " result is returned as result.data; with data_from_stdout the last line of"
                + " stdout is, when there is no such global. Images the run writes to /workspace are"
                + " shown. "
                + Descriptions.links(executions)
                + Descriptions.limits(executions);
    }

    private static ObjectNode schema(Executions executions) {
        var profile = executions.profile();
        var schema = SchemaOf.record(Input.class);
        Descriptions.narrowLanguages(executions, schema);
        Descriptions.property(schema, "language").put("default", profile.defaultLanguage().word());
        Descriptions.property(schema, "code").put("maxLength", profile.codeBytesMax());
        Descriptions.limitTimeout(executions, schema);
        Descriptions.property(schema, "wait_seconds")
                .put("maximum", profile.waitMax().toSeconds())
                .put("default", 0);
        Descriptions.variables(executions, schema, "env_vars");
        var secrets = Descriptions.property(schema, "secret_env_vars");
        secrets.put("maxItems", EnvVars.SECRETS_MAX);
        ((ObjectNode) secrets.get("items")).put("maxLength", EnvVars.NAME_LENGTH_MAX);
        Descriptions.property(schema, "session").put("default", false);
        Descriptions.property(schema, "session_reset").put("default", false);
        Descriptions.property(schema, "data_from_stdout").put("default", false);
        return schema;
    }

    @Override
    public ToolSpec spec() {
        return spec;
    }

    /// A run knows which of its values are secret.
    @Override
    public boolean redactsItself() {
        return true;
    }

    @Override
    public Set<String> secrets(ObjectNode arguments) {
        return EnvVars.secretsIn(arguments.path("env_vars"), arguments.path("secret_env_vars"));
    }

    @Override
    public ToolResult call(Call call, ObjectNode arguments) throws InterruptedException {
        var input = Records.read(arguments, Input.class);
        input.threadId().ifPresent(id -> NulCheck.require("thread_id", id));
        var envelope =
                executions.envelope(
                        call, tool, input.code(), arguments, input.provenance(), input.metadata());
        var execution = executions.execute(NAME, call, request(input, envelope));
        var shown = envelope.shownBy(execution.redactor().exactly());
        var content = new ArrayList<Content>();
        content.add(Content.text(ExecutionText.of(execution)));
        execution.pictures().forEach(picture -> content.add(picture.content()));
        return new ToolResult(
                content,
                Optional.of(
                        Records.tree(
                                Reports.of(
                                        execution,
                                        shown,
                                        executions.urls(call.caller(), execution)))),
                !execution.ending().succeeded());
    }

    @Override
    public ToolResult refused(Refusal refusal) {
        return new ToolResult(
                List.of(Content.text(refusal.sentence())),
                Optional.of(Records.tree(RefusedRun.of(refusal))),
                true);
    }

    private static Request.SessionUse session(Input input) {
        if (input.sessionReset().orElse(false)) {
            return Request.SessionUse.AFRESH;
        }
        return input.session().orElse(false) ? Request.SessionUse.KEPT : Request.SessionUse.NONE;
    }

    private static Request request(Input input, Envelope envelope) {
        return new Request(
                input.code(),
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
                input.subPaths().map(SubPaths::of).orElse(SubPaths.NONE));
    }
}

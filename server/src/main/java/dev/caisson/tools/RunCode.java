package dev.caisson.tools;

import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolResult;
import dev.caisson.broker.ToolSpec;
import dev.caisson.broker.TypedTool;
import dev.caisson.broker.TypedTool.Answer;
import dev.caisson.call.Call;
import dev.caisson.call.Content;
import dev.caisson.call.EarlyAnswer;
import dev.caisson.call.Refusal;
import dev.caisson.call.Scope;
import dev.caisson.call.Toolset;
import dev.caisson.door.Doors;
import dev.caisson.door.Grants;
import dev.caisson.executions.Provenance;
import dev.caisson.json.Describe;
import dev.caisson.json.Json;
import dev.caisson.json.Length;
import dev.caisson.json.Named;
import dev.caisson.json.Range;
import dev.caisson.json.Records;
import dev.caisson.runs.LimitsWish;
import dev.caisson.runs.NulCheck;
import dev.caisson.runs.Packages;
import dev.caisson.runs.ProgramText;
import dev.caisson.runs.RunEnvironment;
import dev.caisson.runs.RunFigures;
import dev.caisson.runs.RunInput;
import dev.caisson.runs.RunOffer;
import dev.caisson.runs.RunRequest;
import dev.caisson.runs.RunService;
import dev.caisson.runs.RunningReport;
import dev.caisson.runs.SubPaths;
import dev.caisson.runs.ToolVersion;
import dev.caisson.sandbox.Language;
import dev.caisson.storage.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/// Tool that runs a program in the workspace of a conversation: the short form of [SandboxExecute],
/// with one text for all output.
public final class RunCode {
    static final String NAME = "run_code";

    private final RunService executions;
    private final Form form;
    private final Doors doors;
    private final ToolVersion tool;

    /// @param version the product's
    private RunCode(RunService executions, Doors doors, Form form, String version) {
        this.executions = executions;
        this.doors = doors;
        this.form = form;
        this.tool = new ToolVersion(NAME, version);
    }

    /// How the result is handed over beside the structured content.
    public enum Form {
        /// As text, which every client reads.
        TEXT,
        /// As the item of type `output` that the first clients of this tool expect. Strict clients
        /// refuse the answer.
        OUTPUT
    }

    record Input(
            @Named("conversationId")
                    @Describe("Names the workspace, which is kept between calls.")
                    @Length(min = 1, max = Threads.ID_LENGTH_MAX)
                    String conversationId,
            @Describe("What the program is written in.") Language language,
            @Describe("The program.") @Length(min = 1) String code,
            @Describe("Environment variables.") Optional<Map<String, String>> environment,
            @Describe("Seconds after which it is stopped.") @Range(min = 1)
                    Optional<Integer> timeout,
            @Describe("What the program belongs to; handed back, as the next three.")
                    @Length(min = 1, max = Provenance.LENGTH_MAX)
                    Optional<String> artifactId,
            @Length(min = 1, max = Provenance.LENGTH_MAX) Optional<String> artifactPath,
            @Length(min = 1, max = Provenance.LENGTH_MAX) Optional<String> ssotDocumentId,
            @Length(min = 1, max = Provenance.LENGTH_MAX) Optional<String> ssotCommit,
            @Describe(SandboxExecute.TOOLS) @Length(max = Grants.PATTERNS_MAX)
                    Optional<List<String>> tools) {
        Provenance provenance() {
            return new Provenance(artifactId, artifactPath, ssotDocumentId, ssotCommit);
        }
    }

    /// A run knows which of its values are secret.
    ///
    /// @param version the product's
    public static Tool tool(
            RunService executions, RunOffer offer, Doors doors, Form form, String version) {
        var code = new RunCode(executions, doors, form, version);
        return TypedTool.ofWhole(
                        ToolSpec.named(NAME, "Run code in a conversation", description(offer))
                                .narrowing(schema -> narrow(offer, schema))
                                .taking("language", Language.synonyms())
                                .listingOutput()
                                .unlisted(
                                        "artifact_id",
                                        "artifact_path",
                                        "ssot_document_id",
                                        "ssot_commit",
                                        "tools")
                                .orRunning(RunningReport.class)
                                .orRefused(RefusedCode.class)
                                .alsoCalled("sandbox.run_code")
                                .in(Toolset.CONVERSATION)
                                .asTask(ToolSpec.TaskUse.OPTIONAL)
                                .within(Scope.RUN),
                        Input.class,
                        CodeReport.class,
                        code::run)
                .redactingItself()
                .knowingSecrets(RunCode::secrets)
                .refusingWith(code::refused);
    }

    private static void narrow(RunOffer offer, ObjectNode schema) {
        Descriptions.narrowLanguages(offer, schema);
        Descriptions.property(schema, "code").put("maxLength", offer.profile().codeBytesMax());
        Descriptions.variables(offer, schema, "environment");
        Descriptions.limitTimeout(offer, schema);
        Descriptions.patterns(schema);
    }

    private static String description(RunOffer offer) {
        return "Runs a program in the conversation's workspace, which is /workspace and /data, and"
                + " returns what it wrote and the files it changed: files those of the top"
                + " directory, nested_files those below. Languages: "
                + Descriptions.languages(offer)
                + ". "
                + Descriptions.installed(offer)
                + Descriptions.links(offer)
                + Descriptions.limits(offer)
                + Descriptions.output(offer);
    }

    private static Set<String> secrets(ObjectNode arguments) {
        return RunEnvironment.secretsIn(arguments.path("environment"), Json.array());
    }

    private Answer<CodeReport> run(Call call, Input input, ObjectNode arguments)
            throws InterruptedException {
        var environment = input.environment().orElse(Map.of());
        RunEnvironment.requireAllowed("environment", environment);
        NulCheck.require("conversationId", input.conversationId());
        var envelope =
                executions.envelope(
                        call, tool, input.code(), arguments, input.provenance(), Optional.empty());
        var execution =
                executions.execute(
                        NAME,
                        call,
                        new RunRequest(
                                ProgramText.unfenced(input.code()),
                                Optional.of(input.language()),
                                input.timeout().map(Duration::ofSeconds),
                                Optional.of(input.conversationId()),
                                environment,
                                List.of(),
                                RunRequest.SessionUse.NONE,
                                Optional.empty(),
                                envelope,
                                List.of(),
                                false,
                                SubPaths.NONE,
                                Packages.USUAL,
                                RunInput.NONE,
                                LimitsWish.NONE,
                                false,
                                doors.of(call, input.tools()),
                                Optional.empty()),
                        running -> {
                            var tree = Records.tree(running);
                            return new EarlyAnswer(List.of(shown(tree)), tree);
                        });
        var urls = executions.urls(call.caller(), execution);
        var shown = envelope.shownBy(execution.redactor().exactly());
        var report = CodeReport.of(execution, shown, urls);
        var content = new ArrayList<Content>();
        content.add(shown(Records.tree(report)));
        execution.pictures().forEach(picture -> content.add(picture.content()));
        return Answer.of(report, content)
                .failed(!execution.ending().succeeded())
                .with(RunFigures.NAME, RunFigures.of(execution, shown));
    }

    private ToolResult refused(Refusal refusal) {
        var report = Records.tree(RefusedCode.of(refusal));
        return new ToolResult(List.of(shown(report)), Optional.of(report), true);
    }

    private Content shown(ObjectNode report) {
        return switch (form) {
            case TEXT -> Content.text(Json.text(report));
            case OUTPUT -> new Content.Output(report);
        };
    }
}

package dev.caisson.tools;

import dev.caisson.broker.Call;
import dev.caisson.broker.Content;
import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolResult;
import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Refusal;
import dev.caisson.call.Scope;
import dev.caisson.executions.Provenance;
import dev.caisson.json.Describe;
import dev.caisson.json.Json;
import dev.caisson.json.Length;
import dev.caisson.json.Named;
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

/// Runs a program in the workspace of a conversation: the short form of [SandboxExecute], with one
/// text for all output.
public final class RunCode implements Tool {
    static final String NAME = "run_code";

    private final Executions executions;
    private final Form form;
    private final ToolVersion tool;
    private final ToolSpec spec;

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
            @Describe(
                            "Environment variables. Names are capital letters, digits and"
                                    + " underscores, and start with a letter.")
                    Optional<Map<String, String>> environment,
            @Describe("Seconds after which it is stopped.") @Range(min = 1)
                    Optional<Integer> timeout,
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
    public RunCode(Executions executions, Form form, String version) {
        this.executions = executions;
        this.form = form;
        this.tool = new ToolVersion(NAME, version);
        var schema = SchemaOf.record(Input.class);
        Descriptions.narrowLanguages(executions, schema);
        Descriptions.property(schema, "code").put("maxLength", executions.profile().codeBytesMax());
        Descriptions.variables(executions, schema, "environment");
        Descriptions.limitTimeout(executions, schema);
        this.spec =
                ToolSpec.of(NAME, "Run code in a conversation", description(executions), schema)
                        .returning(SchemaOf.result(CodeReport.class, RefusedCode.class))
                        .alsoCalled("sandbox.run_code")
                        .asTask(ToolSpec.TaskUse.OPTIONAL)
                        .within(Scope.RUN);
    }

    private static String description(Executions executions) {
        return "Runs a program in the conversation's workspace, which is /workspace and /data, and"
                + " returns what it wrote and the files there. Languages: "
                + Descriptions.languages(executions)
                + ". files has those of the top directory, nested_files those below. "
                + Descriptions.links(executions)
                + Descriptions.limits(executions);
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
        return EnvVars.secretsIn(arguments.path("environment"), Json.array());
    }

    @Override
    public ToolResult call(Call call, ObjectNode arguments) throws InterruptedException {
        var input = Records.read(arguments, Input.class);
        var environment = input.environment().orElse(Map.of());
        EnvVars.requireAllowed("environment", environment);
        NulCheck.require("conversationId", input.conversationId());
        var envelope =
                executions.envelope(
                        call, tool, input.code(), arguments, input.provenance(), Optional.empty());
        var execution =
                executions.execute(
                        NAME,
                        call,
                        new Request(
                                input.code(),
                                Optional.of(input.language()),
                                input.timeout().map(Duration::ofSeconds),
                                Optional.of(input.conversationId()),
                                environment,
                                List.of(),
                                Request.SessionUse.NONE,
                                Optional.empty(),
                                envelope,
                                List.of(),
                                false,
                                SubPaths.NONE));
        var urls = executions.urls(call.caller(), execution);
        var shown = envelope.shownBy(execution.redactor().exactly());
        var report = Records.tree(CodeReport.of(execution, shown, urls));
        var content = new ArrayList<Content>();
        content.add(shown(report));
        execution.pictures().forEach(picture -> content.add(picture.content()));
        return new ToolResult(content, Optional.of(report), !execution.ending().succeeded());
    }

    @Override
    public ToolResult refused(Refusal refusal) {
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

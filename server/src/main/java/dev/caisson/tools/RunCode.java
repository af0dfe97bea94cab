package dev.caisson.tools;

import dev.caisson.broker.Call;
import dev.caisson.broker.Content;
import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolResult;
import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Scope;
import dev.caisson.json.Describe;
import dev.caisson.json.Json;
import dev.caisson.json.Length;
import dev.caisson.json.Named;
import dev.caisson.json.Records;
import dev.caisson.json.SchemaOf;
import dev.caisson.sandbox.Language;
import dev.caisson.storage.FilePath;
import dev.caisson.storage.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.databind.node.ObjectNode;

/// Runs a program in the workspace of a conversation: the short form of [SandboxExecute], with one
/// text for all output.
public final class RunCode implements Tool {
    static final String NAME = "run_code";

    private final Executions executions;
    private final Form form;
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
                    Optional<Map<String, String>> environment) {}

    /// @param output everything the program wrote, and why it was stopped if it was
    record Output(
            boolean success,
            String output,
            List<ExecutionReport.FileEntry> files,
            String executionId,
            Status status,
            Optional<Integer> exitCode,
            long durationMs) {}

    public RunCode(Executions executions, Form form) {
        this.executions = executions;
        this.form = form;
        var schema = SchemaOf.record(Input.class);
        Descriptions.narrowLanguages(executions, schema);
        Descriptions.property(schema, "code").put("maxLength", executions.profile().codeBytesMax());
        Descriptions.variables(executions, schema, "environment");
        this.spec =
                ToolSpec.of(NAME, "Run code in a conversation", description(executions), schema)
                        .returning(SchemaOf.record(Output.class))
                        .alsoCalled("sandbox.run_code")
                        .asTask(ToolSpec.TaskUse.OPTIONAL)
                        .within(Scope.RUN);
    }

    private static String description(Executions executions) {
        return "Runs a program in the conversation's workspace, which is /workspace and /data, and"
                + " returns what it wrote and the files there. Languages: "
                + Descriptions.languages(executions)
                + ". "
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
    public ToolResult call(Call call, ObjectNode arguments) throws InterruptedException {
        var input = Records.read(arguments, Input.class);
        var environment = input.environment().orElse(Map.of());
        EnvVars.requireAllowed("environment", environment);
        NulCheck.require("conversationId", input.conversationId());
        var execution =
                executions.execute(
                        NAME,
                        call,
                        new Request(
                                input.code(),
                                Optional.of(input.language()),
                                Optional.empty(),
                                Optional.of(input.conversationId()),
                                environment,
                                List.of(),
                                Request.SessionUse.NONE,
                                Duration.ZERO,
                                executions.digest(call.caller(), arguments),
                                Optional.empty(),
                                List.of(),
                                false,
                                SubPaths.NONE));
        var output = Records.tree(output(execution, executions.urls(call.caller(), execution)));
        var content = new ArrayList<Content>();
        content.add(
                switch (form) {
                    case TEXT -> Content.text(Json.text(output));
                    case OUTPUT -> new Content.Output(output);
                });
        execution.pictures().forEach(picture -> content.add(picture.content()));
        return new ToolResult(content, Optional.of(output), !execution.ending().succeeded());
    }

    private static Output output(Execution execution, Function<FilePath, Optional<String>> urls) {
        var ending = execution.ending();
        var written = execution.combinedOutput();
        var sentence = ending.sentence().orElse("");
        var both = written.isEmpty() || sentence.isEmpty();
        return new Output(
                ending.succeeded(),
                both ? written + sentence : written + "\n" + sentence,
                Reports.files(execution, urls),
                execution.id(),
                ending.status(),
                ending.exitCode(),
                execution.usage().wallMillis());
    }
}

package dev.caisson.tools;

import dev.caisson.broker.Call;
import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolResult;
import dev.caisson.broker.ToolSpec;
import dev.caisson.json.Describe;
import dev.caisson.json.Records;
import dev.caisson.json.SchemaOf;
import dev.caisson.sandbox.Isolation;
import dev.caisson.sandbox.Layer;
import dev.caisson.sandbox.Limits;
import dev.caisson.sandbox.Runner;
import dev.caisson.sandbox.Tier;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/// Says what programs can be written in here, and which walls stand around them.
public final class ListRunners implements Tool {
    static final String NAME = "list_runners";

    private final Executions executions;
    private final ToolSpec spec;

    record Output(
            List<Entry> languages,
            @Describe("What could not be made ready, and what to do about it.")
                    List<Absent> missing,
            @Describe(
                            "full: every layer holds. reduced: the operator accepted what is missing."
                                    + " closed: no code runs.")
                    Tier tier,
            @Describe("The layers of isolation in force.") List<Layer> layers,
            @Describe("Those that are not, and what does not hold without them.")
                    Map<String, String> missingLayers,
            @Describe("Of one run.") RunLimits limits) {}

    /// @param image what the runner is made of; `host` is this machine's own
    record Entry(String language, String image, String name, String version) {
        static Entry of(Runner runner) {
            return new Entry(
                    runner.language().word(), runner.image(), runner.name(), runner.version());
        }
    }

    record Absent(String language, String why, String remedy) {
        static Absent of(Runner.Missing missing) {
            return new Absent(missing.language().word(), missing.why(), missing.remedy());
        }
    }

    record RunLimits(
            long timeoutSeconds,
            long timeoutSecondsMax,
            long memoryBytes,
            double cpus,
            int processes,
            int openFiles,
            long fileBytes,
            long tmpBytes,
            String workspace) {}

    public ListRunners(Executions executions) {
        this.executions = executions;
        this.spec =
                ToolSpec.of(
                                NAME,
                                "List languages",
                                "Lists the languages programs can be written in here, with their"
                                        + " versions, the limits of a run and the layers of"
                                        + " isolation in force.",
                                ToolSpec.noArguments())
                        .returning(SchemaOf.result(Output.class))
                        .hinted(new ToolSpec.Hints(true, false, true, false))
                        .alsoCalled("sandbox.list_runners");
    }

    @Override
    public ToolSpec spec() {
        return spec;
    }

    @Override
    public ToolResult call(Call call, ObjectNode arguments) {
        var runners = executions.runs().runners();
        var isolation = executions.runs().isolation();
        return ToolResult.structured(
                Records.tree(
                        new Output(
                                runners.available().stream().map(Entry::of).toList(),
                                runners.missing().stream().map(Absent::of).toList(),
                                isolation.tier(),
                                isolation.inForce(),
                                missingLayers(isolation),
                                limits(executions.profile().limits()))));
    }

    /// Why they are missing is for the operator: it names places of the host.
    private static Map<String, String> missingLayers(Isolation isolation) {
        return isolation.missing().keySet().stream()
                .collect(Collectors.toMap(Layer::word, Layer::promise));
    }

    private RunLimits limits(Limits limits) {
        return new RunLimits(
                limits.wall().toSeconds(),
                executions.profile().wallMax().toSeconds(),
                limits.memoryBytes(),
                limits.cpus(),
                limits.processes(),
                limits.openFiles(),
                limits.fileBytes(),
                limits.tmpBytes(),
                executions.threads().capacity());
    }
}

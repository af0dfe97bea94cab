package dev.caisson.tools;

import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolSpec;
import dev.caisson.broker.ToolSpec.Hints;
import dev.caisson.broker.TypedTool;
import dev.caisson.broker.TypedTool.Answer;
import dev.caisson.json.Describe;
import dev.caisson.runs.RunOffer;
import dev.caisson.sandbox.Isolation;
import dev.caisson.sandbox.Layer;
import dev.caisson.sandbox.Limits;
import dev.caisson.sandbox.PackageEnvironment;
import dev.caisson.sandbox.Runner;
import dev.caisson.sandbox.Tier;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Tool that lists the languages of programs, the limits of a run and the layers of isolation.
public final class ListRunners {
    private final RunOffer offer;

    private ListRunners(RunOffer offer) {
        this.offer = offer;
    }

    record Input() {}

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
            @Describe("Of one run.") RunLimits limits,
            @Describe("Installed packages, by the environment they are in.")
                    List<Packages> environments,
            @Describe("Those a run has that does not ask, in the order they are looked in.")
                    List<String> defaultEnvironments,
            @Describe("Those that are not there yet, and what to do about it.")
                    List<AbsentPackages> missingEnvironments) {}

    /// @param preload modules that are imported before the program starts
    record Packages(
            String name,
            String hash,
            List<Item> packages,
            long bytes,
            String bakedAt,
            List<String> preload) {
        static Packages of(PackageEnvironment environment) {
            return new Packages(
                    environment.name(),
                    environment.hash(),
                    environment.packages().stream()
                            .map(each -> new Item(each.name(), each.version()))
                            .toList(),
                    environment.bytes(),
                    environment.bakedAt().toString(),
                    environment.preload());
        }
    }

    record Item(String name, String version) {}

    record AbsentPackages(String name, String why, String remedy) {
        static AbsentPackages of(PackageEnvironment.Missing missing) {
            return new AbsentPackages(missing.name(), missing.why(), missing.remedy());
        }
    }

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
            @Describe("The most that limits.memory_mib may ask for.") long memoryBytesMax,
            double cpus,
            double cpusMax,
            int processes,
            int processesMax,
            int openFiles,
            long fileBytes,
            long tmpBytes,
            String workspace) {}

    public static Tool tool(RunOffer offer) {
        return TypedTool.of(
                ToolSpec.named(
                                "list_runners",
                                "List languages",
                                "Lists languages and versions, installed packages, the limits of a run"
                                        + " and the layers of isolation.")
                        .hinted(Hints.READS)
                        .alsoCalled("sandbox.list_runners"),
                Input.class,
                Output.class,
                (_, _) -> Answer.of(new ListRunners(offer).list()));
    }

    private Output list() {
        var runners = offer.runners();
        var isolation = offer.isolation();
        return new Output(
                runners.available().stream().map(Entry::of).toList(),
                runners.missing().stream().map(Absent::of).toList(),
                isolation.tier(),
                isolation.inForce(),
                missingLayers(isolation),
                limits(offer.profile().limits()),
                offer.environments().stream().map(Packages::of).toList(),
                offer.usualEnvironments(),
                offer.missingEnvironments().stream().map(AbsentPackages::of).toList());
    }

    /// Why they are missing is for the operator: it names places of the host.
    private static Map<String, String> missingLayers(Isolation isolation) {
        return isolation.missing().keySet().stream()
                .collect(Collectors.toMap(Layer::word, Layer::promise));
    }

    private RunLimits limits(Limits limits) {
        var most = offer.profile().most();
        return new RunLimits(
                limits.wall().toSeconds(),
                offer.profile().wallMax().toSeconds(),
                limits.memoryBytes(),
                most.memoryBytes(),
                limits.cpus(),
                most.cpus(),
                limits.processes(),
                most.processes(),
                limits.openFiles(),
                limits.fileBytes(),
                limits.tmpBytes(),
                offer.capacity());
    }
}

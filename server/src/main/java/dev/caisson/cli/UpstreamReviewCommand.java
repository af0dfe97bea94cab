package dev.caisson.cli;

import dev.caisson.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Command `upstream review`.
@Command(
        name = "review",
        description = {
            "Shows definitions of tools that wait, against those that were approved before, and decides.",
            "Without a decision it asks for each of them, and where nobody sits at a terminal it only"
                    + " shows. What is shown is a stranger's text."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  caisson upstream review github",
            "  caisson upstream review github list_issues --approve --effect read",
            "  caisson upstream review github --approve --all"
        })
final class UpstreamReviewCommand implements Callable<Integer> {
    private final Product product;

    @Mixin ConfigOptions options = new ConfigOptions();

    @Spec @Nullable CommandSpec spec;

    @Parameters(
            index = "0",
            paramLabel = "ID",
            description = "The upstream, see `caisson upstream list`.")
    String id = "";

    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "TOOL",
            description = "Its name at the upstream, also of one that does not wait.")
    List<String> names = new ArrayList<>();

    @ArgGroup Decision decision = new Decision();

    @Option(names = "--all", description = "Decides on all that wait.")
    boolean all;

    @Option(
            names = "--effect",
            paramLabel = "WORD",
            description = "What their calls do: read, write or destroy.")
    Optional<String> effect = Optional.empty();

    @Option(names = "--json", description = "Prints JSON, and asks nothing.")
    boolean json;

    /// At most one of them.
    static final class Decision {
        @Option(names = "--approve", description = "Lets the tools be called.")
        boolean approve;

        @Option(names = "--refuse", description = "Refuses the tools.")
        boolean refuse;

        boolean isMade() {
            return approve || refuse;
        }
    }

    UpstreamReviewCommand(Product product) {
        this.product = product;
    }

    @Override
    public Integer call() throws Exception {
        if (decision.isMade() && names.isEmpty() && !all) {
            throw CommandOutput.mistyped(spec, "Name the tools, or decide on all with --all.");
        }
        try (var desk = product.upstreams(options.read(product))) {
            var tools = wanted(desk);
            if (decision.isMade()) {
                decide(desk, tools, decision.approve);
            } else {
                show(desk, tools);
            }
        }
        return Product.OK;
    }

    private List<UpstreamAdmin.Tool> wanted(UpstreamAdmin desk) throws CommandFailed {
        var tools = desk.tools(id);
        if (names.isEmpty()) {
            return tools.stream().filter(UpstreamAdmin.Tool::isWaiting).toList();
        }
        for (var name : names) {
            if (tools.stream().noneMatch(tool -> tool.name().equals(name))) {
                throw new CommandFailed("The upstream %s has no tool %s.".formatted(id, name));
            }
        }
        return tools.stream().filter(tool -> names.contains(tool.name())).toList();
    }

    private void show(UpstreamAdmin desk, List<UpstreamAdmin.Tool> tools) {
        var out = CommandOutput.of(spec);
        if (json) {
            var array = Json.array();
            tools.forEach(tool -> array.add(UpstreamText.tree(tool)));
            out.println(UpstreamText.json(array));
            return;
        }
        if (tools.isEmpty()) {
            out.println("Nothing waits for a review.");
        }
        for (var tool : tools) {
            out.println(UpstreamText.difference(tool));
            if (Confirmation.ask(spec, "May it be called, as it is now?")) {
                decide(desk, List.of(tool), true);
            }
        }
    }

    private void decide(UpstreamAdmin desk, List<UpstreamAdmin.Tool> tools, boolean approve) {
        var hashes = new LinkedHashMap<String, String>();
        tools.forEach(tool -> hashes.put(tool.name(), tool.hash()));
        if (!hashes.isEmpty()) {
            desk.review(id, approve, hashes, effect);
        }
        var out = CommandOutput.of(spec);
        if (json) {
            var said = Json.object().put("decision", approve ? "approve" : "refuse");
            hashes.keySet().forEach(said.putArray("tools")::add);
            out.println(UpstreamText.json(said));
        } else {
            out.println(
                    "%s %s. A server that runs follows within seconds."
                            .formatted(
                                    hashes.size() == 1 ? "1 tool is" : hashes.size() + " tools are",
                                    approve ? "approved" : "refused"));
        }
    }
}

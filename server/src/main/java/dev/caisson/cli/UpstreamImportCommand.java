package dev.caisson.cli;

import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import dev.caisson.json.Printable;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Command `upstream import`.
@Command(
        name = "import",
        description = {
            "Adds the servers of a file in which a client keeps them, under mcpServers.",
            "Values of headers and variables that look secret go to the vault. The tools wait for a"
                    + " review, unless --yes takes them as they are listed first."
        },
        footerHeading = "%nExamples:%n",
        footer = "  caisson upstream import ~/.config/client/mcp.json")
final class UpstreamImportCommand implements Callable<Integer> {
    private final Product product;

    @Mixin ConfigOptions options = new ConfigOptions();

    @Spec @Nullable CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "A file of JSON with the member mcpServers.")
    Path file = Path.of("");

    @Option(
            names = {"-y", "--yes"},
            description = "Takes the first list of the tools of each as it is.")
    boolean yes;

    @Option(names = "--json", description = "Prints JSON.")
    boolean json;

    UpstreamImportCommand(Product product) {
        this.product = product;
    }

    @Override
    public Integer call() throws Exception {
        var results = Json.array();
        int failed = 0;
        try (var desk = product.upstreams(options.read(product))) {
            for (var found : desk.read(file)) {
                var result = results.addObject().put("name", found.name()).put("id", found.id());
                try {
                    add(desk, found);
                    found.secrets().keySet().stream()
                            .sorted()
                            .forEach(result.putArray("secrets")::add);
                    result.putNull("error");
                } catch (Refusal refusal) {
                    failed++;
                    result.put("error", refusal.sentence());
                }
                if (!json) {
                    CommandOutput.of(spec)
                            .println(
                                    "%s: %s"
                                            .formatted(
                                                    Printable.text(found.name()),
                                                    result.path("error").isNull()
                                                            ? "added as " + found.id() + "."
                                                            : result.path("error").stringValue()));
                }
            }
            if (json) {
                CommandOutput.of(spec).println(UpstreamText.json(results));
            }
            desk.dataUse().warning().ifPresent(sentence -> CommandOutput.warn(spec, sentence));
        }
        return failed == 0 ? Product.OK : Product.FAILED;
    }

    /// What is not taken leaves nothing in the vault.
    private void add(UpstreamAdmin desk, UpstreamAdmin.Found found) {
        desk.add(found.id(), found.entry(), yes);
        if (!found.secrets().isEmpty()) {
            desk.keep(found.secrets());
            desk.restart(found.id());
        }
    }
}

package dev.caisson.cli;

import dev.caisson.config.Effective;
import dev.caisson.json.Json;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/// Command `config`: prints the configuration in force and the origin of each value.
@Command(
        name = "config",
        description = {
            "Prints the configuration in force and the origin of each value.",
            "For a secret, it prints only whether it is set."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  caisson config",
            "  caisson config --config ./caisson.yaml --json",
            "  CAISSON_HTTP_PORT=9000 caisson config"
        })
final class ConfigCommand implements Callable<Integer> {
    private final Product product;

    @Mixin ConfigOptions options = new ConfigOptions();

    @Spec @Nullable CommandSpec spec;

    @Option(names = "--json", description = "Prints JSON.")
    boolean json;

    ConfigCommand(Product product) {
        this.product = product;
    }

    @Override
    public Integer call() throws Exception {
        var effective = options.read(product);
        CommandOutput.of(spec).println(json ? Json.pretty(tree(effective)) : table(effective));
        return Product.OK;
    }

    private static String table(Effective effective) {
        var text = new StringBuilder();
        for (var line : effective.lines()) {
            var shown = "%-28s %s".formatted(line.key(), line.value());
            text.append("%-60s # %s%n".formatted(shown, line.origin().words()));
        }
        return text.toString().stripTrailing();
    }

    private static JsonNode tree(Effective effective) {
        var object = Json.object();
        for (var line : effective.lines()) {
            object.putObject(line.key())
                    .put("value", line.value())
                    .put("origin", line.origin().words())
                    .put("secret", line.secret());
        }
        return object;
    }
}

package dev.caisson.cli;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Command `restore`: restores a backup into an empty data directory.
@Command(
        name = "restore",
        description = {
            "Restores a backup into an empty data directory. No server may use that"
                    + " directory meanwhile.",
            "Every file is checked first. A damaged, interrupted or incomplete backup is"
                    + " refused."
        })
final class RestoreCommand implements Callable<Integer> {
    private final Product product;

    @Mixin ConfigOptions options = new ConfigOptions();

    @Spec @Nullable CommandSpec spec;

    @Parameters(paramLabel = "DIRECTORY", description = "The directory that `caisson backup` made.")
    Path directory = Path.of("");

    @Option(
            names = "--incomplete",
            description =
                    "Restores an incomplete backup. Threads whose files are"
                            + " missing report that when they are used.")
    boolean incomplete;

    @Option(names = "--json", description = "Prints JSON.")
    boolean json;

    RestoreCommand(Product product) {
        this.product = product;
    }

    @Override
    public Integer call() throws Exception {
        var config = options.read(product);
        return product.restore(config, directory, incomplete, json, CommandOutput.of(spec));
    }
}

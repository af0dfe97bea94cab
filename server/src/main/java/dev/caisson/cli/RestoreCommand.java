package dev.caisson.cli;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "restore",
        description =
                "Puts a backup into a data directory that has no database yet. No server may use"
                        + " that directory meanwhile.")
final class RestoreCommand implements Callable<Integer> {
    private final Product product;

    @Mixin ConfigOptions options = new ConfigOptions();

    @Spec @Nullable CommandSpec spec;

    @Parameters(paramLabel = "DIRECTORY", description = "The directory that `caisson backup` made.")
    Path directory = Path.of("");

    RestoreCommand(Product product) {
        this.product = product;
    }

    @Override
    public Integer call() throws Exception {
        return product.restore(options.read(product).config(), directory, Output.of(spec));
    }
}

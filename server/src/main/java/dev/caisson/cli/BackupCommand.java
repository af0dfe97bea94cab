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
        name = "backup",
        description = {
            "Copies the database and the server's secret into a new directory that only its owner"
                    + " can read. The server may run meanwhile.",
            "The files of threads and stored output are not in it; copy those directories with the"
                    + " tools of their file system."
        })
final class BackupCommand implements Callable<Integer> {
    private final Product product;

    @Mixin ConfigOptions options = new ConfigOptions();

    @Spec @Nullable CommandSpec spec;

    @Parameters(
            paramLabel = "DIRECTORY",
            description = "The directory to make; it must not be there yet.")
    Path directory = Path.of("");

    BackupCommand(Product product) {
        this.product = product;
    }

    @Override
    public Integer call() throws Exception {
        return product.backup(options.read(product).config(), directory, Output.of(spec));
    }
}

package dev.caisson.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "backup",
        description = {
            "Copies everything the server keeps into a new directory that only its owner can read:"
                    + " the database, the files of threads and volumes, outputs and secrets. The"
                    + " server may run meanwhile.",
            "A workspace that is written to all the time is left out when --wait is over. Of a"
                    + " PostgreSQL database, use pg_dump. The last line says what is not in the"
                    + " backup; such a one is not restored by mistake."
        },
        footerHeading = "%nExit codes:%n",
        footer = {"  0  the backup is whole", "  1  it is not, or there is none"})
final class BackupCommand implements Callable<Integer> {
    private final Product product;

    @Mixin ConfigOptions options = new ConfigOptions();

    @Spec @Nullable CommandSpec spec;

    @Parameters(
            paramLabel = "DIRECTORY",
            description = "The directory to make; it must not be there yet.")
    Path directory = Path.of("");

    @Option(
            names = "--wait",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description =
                    "How long to wait for workspaces in use, altogether; ${DEFAULT-VALUE} by"
                            + " default.")
    int wait;

    @Option(names = "--json", description = "Prints JSON.")
    boolean json;

    BackupCommand(Product product) {
        this.product = product;
    }

    @Override
    public Integer call() throws Exception {
        if (wait < 0) {
            throw Output.mistyped(spec, "--wait is a number of seconds.");
        }
        var config = options.read(product).config();
        return product.backup(config, directory, Duration.ofSeconds(wait), json, Output.of(spec));
    }
}

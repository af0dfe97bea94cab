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

/// Command `backup`: copies everything that a server keeps.
@Command(
        name = "backup",
        description = {
            "Copies everything the server keeps into a new directory that only its owner can read:"
                    + " the database, the files of threads and volumes, outputs and secrets. The"
                    + " server may run meanwhile.",
            "A workspace that is written to all the time is left out when --wait is over. For a"
                    + " PostgreSQL database, use pg_dump. The last line names what is missing;"
                    + " an incomplete backup is not restored by mistake."
        },
        footerHeading = "%nExit codes:%n",
        footer = {"  0  the backup is complete", "  1  it is incomplete, or failed"})
final class BackupCommand implements Callable<Integer> {
    private final Product product;

    @Mixin ConfigOptions options = new ConfigOptions();

    @Spec @Nullable CommandSpec spec;

    @Parameters(
            paramLabel = "DIRECTORY",
            description = "The directory to create; it must not exist yet.")
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
            throw CommandOutput.mistyped(spec, "--wait is a number of seconds.");
        }
        var config = options.read(product);
        return product.backup(
                config, directory, Duration.ofSeconds(wait), json, CommandOutput.of(spec));
    }
}

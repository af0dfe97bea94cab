package dev.caisson.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// Command `ledger export`: prints every entry as a JSON line.
@Command(
        name = "export",
        description =
                "Prints every entry as a line of JSON, oldest first. The lines hold everything that is"
                        + " needed to check the chain without this program.")
final class LedgerExportCommand implements Callable<Integer> {
    private final Product product;

    @Mixin ConfigOptions options = new ConfigOptions();

    @Spec @Nullable CommandSpec spec;

    LedgerExportCommand(Product product) {
        this.product = product;
    }

    @Override
    public Integer call() throws Exception {
        return product.exportLedger(options.read(product), CommandOutput.of(spec));
    }
}

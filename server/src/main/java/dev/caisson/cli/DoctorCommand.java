package dev.caisson.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// Command `doctor`: checks this machine and its isolation layers.
@Command(
        name = "doctor",
        description = "Checks this machine and prints what holds and how to fix the rest.",
        footerHeading = "%nExit codes:%n",
        footer = {"  0  everything holds", "  1  something does not"})
final class DoctorCommand implements Callable<Integer> {
    private final Product product;

    @Mixin ConfigOptions options = new ConfigOptions();

    @Spec @Nullable CommandSpec spec;

    @Option(names = "--json", description = "Prints JSON.")
    boolean json;

    DoctorCommand(Product product) {
        this.product = product;
    }

    @Override
    public Integer call() throws Exception {
        return product.doctor(options.read(product), json, CommandOutput.of(spec));
    }
}

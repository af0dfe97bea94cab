package dev.caisson.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Command `environment remove`: takes the name of an environment away.
@Command(
        name = "remove",
        description = "Removes an environment. Programs that run with it keep it to their end.")
final class EnvironmentRemoveCommand implements Callable<Integer> {
    private final Product product;

    @Mixin ConfigOptions options = new ConfigOptions();

    @Spec @Nullable CommandSpec spec;

    @Parameters(paramLabel = "NAME", description = "What the environment is called.")
    String name = "";

    EnvironmentRemoveCommand(Product product) {
        this.product = product;
    }

    @Override
    public Integer call() throws Exception {
        try (var desk = product.environments(options.read(product))) {
            desk.remove(name);
            CommandOutput.of(spec).println("The environment " + name + " was removed.");
        }
        return Product.OK;
    }
}

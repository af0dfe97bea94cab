package dev.caisson.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Command `environment bake`: makes packages ready under a name.
@Command(
        name = "bake",
        description = {
            "Makes packages ready under a name. A server beside it offers them within seconds.",
            "Without a lock, data and dev are baked from the product's own."
        })
final class EnvironmentBakeCommand implements Callable<Integer> {
    private final Product product;

    @Mixin ConfigOptions options = new ConfigOptions();

    @Spec @Nullable CommandSpec spec;

    @Parameters(paramLabel = "NAME", description = "What the environment is called.")
    String name = "";

    @Option(names = "--python", paramLabel = "FILE", description = "A requirements file of pip's.")
    Optional<Path> python = Optional.empty();

    @Option(names = "--node", paramLabel = "FILE", description = "A package-lock.json of npm's.")
    Optional<Path> node = Optional.empty();

    @Option(
            names = "--preload",
            paramLabel = "MODULE",
            split = ",",
            description = "Python modules to import before a program starts, such as numpy.")
    List<String> preload = List.of();

    EnvironmentBakeCommand(Product product) {
        this.product = product;
    }

    @Override
    public Integer call() throws Exception {
        var out = CommandOutput.of(spec);
        try (var desk = product.environments(options.read(product))) {
            var wanted = new EnvironmentAdmin.Wanted(name, python, node, preload);
            return desk.bake(wanted, out) ? Product.OK : Product.FAILED;
        }
    }
}

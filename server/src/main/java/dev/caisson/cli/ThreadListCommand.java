package dev.caisson.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// Command `thread list`: lists threads with owner and last use.
@Command(
        name = "list",
        description = "Lists threads with their owners and the time of the last use.")
final class ThreadListCommand implements Callable<Integer> {
    private final Product product;

    @Mixin ConfigOptions options = new ConfigOptions();

    @Spec @Nullable CommandSpec spec;

    @Option(names = "--json", description = "Prints JSON.")
    boolean json;

    ThreadListCommand(Product product) {
        this.product = product;
    }

    @Override
    public Integer call() throws Exception {
        return product.listThreads(options.read(product), json, CommandOutput.of(spec));
    }
}

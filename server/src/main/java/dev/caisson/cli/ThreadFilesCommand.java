package dev.caisson.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Command `thread files`: lists the files of a thread.
@Command(
        name = "files",
        description =
                "Lists the files of a thread. The server may run meanwhile; nothing is changed.")
final class ThreadFilesCommand implements Callable<Integer> {
    private final Product product;

    @Mixin ConfigOptions options = new ConfigOptions();

    @Spec @Nullable CommandSpec spec;

    @Parameters(
            index = "0",
            paramLabel = "THREAD",
            description = "The id of the thread, or the name of its directory.")
    String thread = "";

    @Parameters(
            index = "1",
            paramLabel = "PATH",
            arity = "0..1",
            description = "A directory of the thread; its root by default.")
    String path = "";

    @Option(names = "--json", description = "Prints JSON.")
    boolean json;

    ThreadFilesCommand(Product product) {
        this.product = product;
    }

    @Override
    public Integer call() throws Exception {
        return product.listFiles(options.read(product), thread, path, json, CommandOutput.of(spec));
    }
}

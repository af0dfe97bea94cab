package dev.caisson.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// Command `thread cat`: prints a file of a thread.
@Command(
        name = "cat",
        description =
                "Writes a file of a thread to standard output. The server may run meanwhile; nothing is"
                        + " changed, and no link is followed.")
final class ThreadCatCommand implements Callable<Integer> {
    private final Product product;

    @Mixin ConfigOptions options = new ConfigOptions();

    @Parameters(
            index = "0",
            paramLabel = "THREAD",
            description = "The id of the thread, or the name of its directory.")
    String thread = "";

    @Parameters(index = "1", paramLabel = "PATH", description = "A file of the thread.")
    String path = "";

    ThreadCatCommand(Product product) {
        this.product = product;
    }

    @Override
    public Integer call() throws Exception {
        return product.printFile(options.read(product), thread, path);
    }
}

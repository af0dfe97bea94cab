package dev.caisson.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Command `stdio`: speaks MCP on standard input and output.
@Command(
        name = "stdio",
        description = "Speaks MCP on standard input and output, for a local client.",
        footerHeading = "%nExample:%n",
        footer = "  claude mcp add caisson -- /path/to/caisson stdio")
final class StdioCommand implements Callable<Integer> {
    private final Product product;

    @Mixin ConfigOptions options = new ConfigOptions();

    @Option(
            names = "--no-auth",
            description =
                    "Accepted without effect: the caller is the user who started the process.")
    boolean noAuth;

    StdioCommand(Product product) {
        this.product = product;
    }

    @Override
    public Integer call() throws Exception {
        return product.stdio(options.read(product));
    }
}

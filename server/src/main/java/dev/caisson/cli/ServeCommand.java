package dev.caisson.cli;

import dev.caisson.config.Given;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "serve",
        description = "Serves MCP over HTTP until it is told to stop.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  caisson serve",
            "  caisson serve --port 9000 --data ./data",
            "  caisson serve --no-auth              (loopback only)",
            "  caisson serve --set http.allowed_hosts=caisson.example.org --host 0.0.0.0"
        })
final class ServeCommand implements Callable<Integer> {
    private final Product product;

    @Mixin ConfigOptions options = new ConfigOptions();

    @Spec @Nullable CommandSpec spec;

    @Option(names = "--host", paramLabel = "ADDRESS", description = "Listens there (http.host).")
    @Nullable String host;

    @Option(names = "--port", paramLabel = "PORT", description = "Listens there (http.port).")
    @Nullable String port;

    @Option(names = "--no-auth", description = "Asks nobody for a key. Only on a loopback address.")
    boolean noAuth;

    ServeCommand(Product product) {
        this.product = product;
    }

    @Override
    public Integer call() throws Exception {
        var flags = new ArrayList<Given>();
        if (host != null) {
            flags.add(Given.flag("http.host", host, "--host"));
        }
        if (port != null) {
            flags.add(Given.flag("http.port", port, "--port"));
        }
        if (noAuth) {
            flags.add(Given.flag("auth.enabled", "false", "--no-auth"));
        }
        return product.serve(options.read(product, flags).config(), Output.of(spec));
    }
}

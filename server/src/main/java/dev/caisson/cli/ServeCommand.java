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

/// Command `serve`: serves MCP, REST and the console over HTTP.
@Command(
        name = "serve",
        description = "Serves MCP, REST and the console over HTTP until it is stopped.",
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

    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            description = "The address to listen on (http.host).")
    @Nullable String host;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "The port to listen on (http.port).")
    @Nullable String port;

    @Option(names = "--no-auth", description = "Requires no key. Only on a loopback address.")
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
        return product.serve(options.read(product, flags), CommandOutput.of(spec));
    }
}

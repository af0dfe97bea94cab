package dev.caisson.cli;

import dev.caisson.json.Json;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(name = "revoke", description = "Revokes a key at once.")
final class KeyRevokeCommand implements Callable<Integer> {
    private final Product product;

    @Mixin ConfigOptions options = new ConfigOptions();

    @Spec @Nullable CommandSpec spec;

    @Parameters(paramLabel = "ID", description = "The id, see `caisson key list`.")
    String id = "";

    @Option(names = "--json", description = "Prints JSON.")
    boolean json;

    KeyRevokeCommand(Product product) {
        this.product = product;
    }

    @Override
    public Integer call() throws Exception {
        try (var desk = product.keys(options.read(product).config())) {
            if (!desk.revoke(id)) {
                throw new CommandFailed(
                        "There is no key with the id " + id + ". See `caisson key list`.");
            }
        }
        var tree = Json.object().put("id", id).put("revoked", true);
        Output.of(spec).println(json ? Json.pretty(tree) : "Revoked " + id + ".");
        return Product.OK;
    }
}

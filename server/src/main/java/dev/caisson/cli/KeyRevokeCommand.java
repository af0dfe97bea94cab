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

/// Command `key revoke`: revokes a key at once.
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
        DataUse data;
        try (var desk = product.keys(options.read(product))) {
            data = desk.dataUse();
            if (!desk.revoke(id)) {
                throw new CommandFailed(
                        "There is no key with the id "
                                + id
                                + " in "
                                + data.directory()
                                + ". See `caisson key list`.");
            }
        }
        var tree = Json.object().put("id", id).put("revoked", true);
        tree.put("data_directory", data.directory().toString());
        CommandOutput.of(spec)
                .println(json ? Json.pretty(tree) : "Revoked " + id + ". " + data.line());
        data.warning().ifPresent(sentence -> CommandOutput.warn(spec, sentence));
        return Product.OK;
    }
}

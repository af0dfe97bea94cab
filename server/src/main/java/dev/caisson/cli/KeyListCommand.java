package dev.caisson.cli;

import dev.caisson.call.StandingVolume;
import dev.caisson.json.Json;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ObjectNode;

@Command(name = "list", description = "Lists keys; never the keys themselves.")
final class KeyListCommand implements Callable<Integer> {
    private final Product product;

    @Mixin ConfigOptions options = new ConfigOptions();

    @Spec @Nullable CommandSpec spec;

    @Option(names = "--json", description = "Prints JSON.")
    boolean json;

    KeyListCommand(Product product) {
        this.product = product;
    }

    @Override
    public Integer call() throws Exception {
        var out = Output.of(spec);
        try (var desk = product.keys(options.read(product).config())) {
            var keys = desk.list();
            if (json) {
                var array = Json.array();
                keys.forEach(key -> array.add(tree(key)));
                out.println(Json.pretty(array));
            } else {
                out.println(row("ID", "NAME", "STATE", "EXPIRES", "SCOPES", "VOLUMES"));
                keys.forEach(key -> out.println(row(key)));
            }
        }
        return Product.OK;
    }

    private static String row(KeyDesk.Listed key) {
        return row(
                key.id(),
                key.name(),
                key.revoked().isPresent() ? "revoked" : "valid",
                key.expires().map(Object::toString).orElse("never"),
                KeyCommand.words(key.scopes()),
                key.volumes().stream().map(StandingVolume::text).collect(Collectors.joining(", ")));
    }

    private static String row(Object... columns) {
        return "%-24s  %-20s  %-8s  %-20s  %-28s  %s".formatted(columns).stripTrailing();
    }

    private static ObjectNode tree(KeyDesk.Listed key) {
        var node =
                Json.object()
                        .put("id", key.id())
                        .put("name", key.name())
                        .put("created", key.created().toString())
                        .put("revoked", key.revoked().isPresent());
        key.expires().ifPresent(when -> node.put("expires", when.toString()));
        key.firstUsed().ifPresent(when -> node.put("first_used", when.toString()));
        node.put("strict_params", key.strictParams());
        var scopes = node.putArray("scopes");
        new TreeSet<>(key.scopes()).forEach(scope -> scopes.add(scope.word()));
        var toolsets = node.putArray("toolsets");
        new TreeSet<>(key.toolsets()).forEach(toolsets::add);
        var volumes = node.putArray("volumes");
        key.volumes().forEach(volume -> volumes.add(volume.text()));
        return node;
    }
}

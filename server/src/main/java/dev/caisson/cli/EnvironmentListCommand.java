package dev.caisson.cli;

import dev.caisson.json.Json;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// Command `environment list`: lists environments and their sizes.
@Command(name = "list", description = "Lists environments, with their sizes.")
final class EnvironmentListCommand implements Callable<Integer> {
    private final Product product;

    @Mixin ConfigOptions options = new ConfigOptions();

    @Spec @Nullable CommandSpec spec;

    @Option(names = "--json", description = "Prints JSON.")
    boolean json;

    EnvironmentListCommand(Product product) {
        this.product = product;
    }

    @Override
    public Integer call() throws Exception {
        var out = CommandOutput.of(spec);
        try (var desk = product.environments(options.read(product))) {
            var all = desk.list();
            if (json) {
                var array = Json.array();
                all.forEach(each ->
                        array.addObject()
                                .put("name", each.name())
                                .put("hash", each.hash())
                                .put("packages", each.packages())
                                .put("bytes", each.bytes())
                                .put("baked_at", each.bakedAt()));
                out.println(Json.pretty(array));
            } else {
                out.println(row("NAME", "HASH", "PACKAGES", "MIB", "BAKED"));
                all.forEach(each ->
                        out.println(
                                row(
                                        each.name(),
                                        each.hash().substring(0, 12),
                                        each.packages(),
                                        each.bytes() >> 20,
                                        each.bakedAt())));
            }
        }
        return Product.OK;
    }

    private static String row(Object... columns) {
        return "%-20s  %-12s  %8s  %6s  %s".formatted(columns).stripTrailing();
    }
}

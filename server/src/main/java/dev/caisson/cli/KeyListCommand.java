package dev.caisson.cli;

import dev.caisson.call.StandingVolume;
import dev.caisson.json.Json;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
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

/// Command `key list`: lists keys without their secrets.
@Command(name = "list", description = "Lists keys, without their secrets.")
final class KeyListCommand implements Callable<Integer> {
    private static final DateTimeFormatter SHORT = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm");

    private final Product product;
    private final InstantSource clock;
    private final ZoneId zone;

    @Mixin ConfigOptions options = new ConfigOptions();

    @Spec @Nullable CommandSpec spec;

    @Option(names = "--json", description = "Prints JSON.")
    boolean json;

    /// @param zone of the times that it prints for people
    KeyListCommand(Product product, InstantSource clock, ZoneId zone) {
        this.product = product;
        this.clock = clock;
        this.zone = zone;
    }

    @Override
    public Integer call() throws Exception {
        var out = CommandOutput.of(spec);
        try (var desk = product.keys(options.read(product))) {
            var keys = desk.list();
            if (json) {
                var array = Json.array();
                keys.forEach(key -> array.add(tree(key)));
                out.println(Json.pretty(array));
            } else if (keys.isEmpty()) {
                out.println("There are no keys in " + desk.dataUse().directory() + ".");
            } else {
                out.println(table(keys));
            }
        }
        return Product.OK;
    }

    private String table(List<KeyAdmin.Listed> keys) {
        var table =
                new TextTable(
                        "ID",
                        "NAME",
                        "STATE",
                        "CREATED",
                        "LAST USED",
                        "EXPIRES",
                        "SCOPES",
                        "TOOLSETS",
                        "VOLUMES");
        for (var key : keys) {
            table.add(
                    key.id(),
                    key.name(),
                    key.state(clock.instant()),
                    text(key.created()),
                    key.lastUsed().map(this::text).orElse("never"),
                    key.expires().map(this::text).orElse("never"),
                    KeyCommand.words(key.scopes()),
                    String.join(", ", new TreeSet<>(key.toolsets())),
                    key.volumes().stream()
                            .map(StandingVolume::text)
                            .collect(Collectors.joining(", ")));
        }
        return table.text();
    }

    private String text(Instant moment) {
        return SHORT.format(moment.atZone(zone));
    }

    private ObjectNode tree(KeyAdmin.Listed key) {
        var node =
                Json.object()
                        .put("id", key.id())
                        .put("name", key.name())
                        .put("created", key.created().toString())
                        .put("state", key.state(clock.instant()))
                        .put("revoked", key.revoked().isPresent());
        key.expires().ifPresent(when -> node.put("expires", when.toString()));
        key.firstUsed().ifPresent(when -> node.put("first_used", when.toString()));
        key.lastUsed().ifPresent(when -> node.put("last_used", when.toString()));
        node.put("strict_params", key.strictParams()).put("profile", key.profile());
        var environments = node.putArray("environments");
        key.environments().forEach(environments::add);
        key.tools().patterns().forEach(node.putArray("tools")::add);
        var scopes = node.putArray("scopes");
        new TreeSet<>(key.scopes()).forEach(scope -> scopes.add(scope.word()));
        var toolsets = node.putArray("toolsets");
        new TreeSet<>(key.toolsets()).forEach(toolsets::add);
        var volumes = node.putArray("volumes");
        key.volumes().forEach(volume -> volumes.add(volume.text()));
        return node;
    }
}

package dev.caisson.cli;

import dev.caisson.call.Scope;
import dev.caisson.json.Json;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ObjectNode;

@Command(
        name = "key",
        description = "Creates, lists and revokes API keys.",
        synopsisSubcommandLabel = "(create | list | revoke)",
        footerHeading = "%nExamples:%n",
        footer = {
            "  caisson key create laptop",
            "  caisson key create ci --scope run --scope files_read --days 30 --json",
            "  caisson key list",
            "  caisson key revoke KEY_ID"
        })
final class KeyCommand {
    private static final int DAYS_MAX = 36_500;

    private final Product product;
    private final InstantSource clock;

    @Spec @Nullable CommandSpec spec;

    KeyCommand(Product product, InstantSource clock) {
        this.product = product;
        this.clock = clock;
    }

    @Command(name = "create", description = "Creates a key and prints it, this once.")
    int create(
            @Mixin ConfigOptions options,
            @Parameters(paramLabel = "NAME", description = "What you call it.") String name,
            @Option(
                            names = "--scope",
                            paramLabel = "SCOPE",
                            description =
                                    "What it may do: run, files_read, files_write, audit, admin."
                                            + " May be repeated; run, files_read and files_write if"
                                            + " absent.")
                    @Nullable List<String> scopes,
            @Option(
                            names = "--toolset",
                            paramLabel = "NAME",
                            description = "A group of tools it sees; every group if absent.")
                    @Nullable List<String> toolsets,
            @Option(
                            names = "--days",
                            paramLabel = "DAYS",
                            description = "How long it is valid; for ever if absent.")
                    @Nullable Integer days,
            @Option(names = "--json", description = "Prints JSON.") boolean json)
            throws Exception {
        var expires =
                Optional.ofNullable(days)
                        .map(count -> clock.instant().plus(Duration.ofDays(checkedDays(count))));
        var wanted =
                new KeyDesk.Wanted(
                        name,
                        scopes(scopes),
                        toolsets == null ? Set.of() : Set.copyOf(toolsets),
                        expires);
        try (var desk = product.keys(options.read().config())) {
            var created = desk.create(wanted);
            var out = Output.of(spec);
            if (json) {
                out.println(
                        Json.pretty(
                                Json.object()
                                        .put("id", created.id())
                                        .put("name", name)
                                        .put("key", created.key())));
            } else {
                out.println(created.key());
                out.println("Keep it now: it is not shown again. Its id is " + created.id() + ".");
            }
        }
        return Product.OK;
    }

    @Command(name = "list", description = "Lists keys; never the keys themselves.")
    int list(
            @Mixin ConfigOptions options,
            @Option(names = "--json", description = "Prints JSON.") boolean json)
            throws Exception {
        try (var desk = product.keys(options.read().config())) {
            var keys = desk.list();
            var out = Output.of(spec);
            if (json) {
                var array = Json.array();
                keys.forEach(key -> array.add(tree(key)));
                out.println(Json.pretty(array));
            } else {
                out.println(row("ID", "NAME", "STATE", "EXPIRES", "SCOPES"));
                keys.forEach(key -> out.println(row(key)));
            }
        }
        return Product.OK;
    }

    @Command(name = "revoke", description = "Revokes a key at once.")
    int revoke(
            @Mixin ConfigOptions options,
            @Parameters(paramLabel = "ID", description = "The id, see `caisson key list`.")
                    String id,
            @Option(names = "--json", description = "Prints JSON.") boolean json)
            throws Exception {
        try (var desk = product.keys(options.read().config())) {
            var found = desk.revoke(id);
            if (!found) {
                throw new CommandFailed(
                        "There is no key with the id " + id + ". See `caisson key list`.");
            }
            Output.of(spec)
                    .println(
                            json
                                    ? Json.pretty(Json.object().put("id", id).put("revoked", true))
                                    : "Revoked " + id + ".");
        }
        return Product.OK;
    }

    private int checkedDays(int days) {
        if (days < 1 || days > DAYS_MAX) {
            throw usage("--days must be from 1 to " + DAYS_MAX);
        }
        return days;
    }

    private Set<Scope> scopes(@Nullable List<String> words) {
        if (words == null) {
            return Set.of(Scope.RUN, Scope.FILES_READ, Scope.FILES_WRITE);
        }
        var scopes = new ArrayList<Scope>();
        for (var word : words) {
            scopes.add(
                    Scope.of(word)
                            .orElseThrow(() ->
                                    usage(
                                            "--scope "
                                                    + word
                                                    + " is not one of "
                                                    + words(Arrays.asList(Scope.values())))));
        }
        return Set.copyOf(scopes);
    }

    private ParameterException usage(String sentence) {
        if (spec == null) {
            throw new IllegalStateException("the command was not started by the command line");
        }
        return new ParameterException(spec.commandLine(), sentence);
    }

    private static String words(Collection<Scope> scopes) {
        return new TreeSet<>(scopes).stream().map(Scope::word).collect(Collectors.joining(", "));
    }

    private static String state(KeyDesk.Listed key) {
        return key.revoked().isPresent() ? "revoked" : "valid";
    }

    private static String row(KeyDesk.Listed key) {
        return row(
                key.id(),
                key.name(),
                state(key),
                key.expires().map(Object::toString).orElse("never"),
                words(key.scopes()));
    }

    private static String row(String id, String name, String state, String expires, String scopes) {
        return "%-24s  %-20s  %-8s  %-20s  %s".formatted(id, name, state, expires, scopes);
    }

    private static ObjectNode tree(KeyDesk.Listed key) {
        var node =
                Json.object()
                        .put("id", key.id())
                        .put("name", key.name())
                        .put("created", key.created().toString())
                        .put("revoked", key.revoked().isPresent());
        key.expires().ifPresent(when -> node.put("expires", when.toString()));
        var scopes = node.putArray("scopes");
        new TreeSet<>(key.scopes()).forEach(scope -> scopes.add(scope.word()));
        var toolsets = node.putArray("toolsets");
        new TreeSet<>(key.toolsets()).forEach(toolsets::add);
        return node;
    }
}

package dev.caisson.cli;

import dev.caisson.call.Scope;
import dev.caisson.call.StandingVolume;
import dev.caisson.call.Toolset;
import dev.caisson.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(name = "create", description = "Creates a key and prints it, this once.")
final class KeyCreateCommand implements Callable<Integer> {
    /// A hundred years.
    private static final int DAYS_MAX = 36_500;

    private static final Set<Scope> USUAL = Set.of(Scope.RUN, Scope.FILES_READ, Scope.FILES_WRITE);

    private final Product product;
    private final InstantSource clock;

    @Mixin ConfigOptions options = new ConfigOptions();

    @Spec @Nullable CommandSpec spec;

    @Parameters(paramLabel = "NAME", description = "What you call it.")
    String name = "";

    @Option(
            names = "--scope",
            paramLabel = "SCOPE",
            description = {
                "What it may do: run, files_read, files_write, audit, admin. May be repeated;",
                "run, files_read and files_write if absent."
            })
    List<String> scopes = new ArrayList<>();

    @Option(
            names = "--toolset",
            paramLabel = "NAME",
            description = {
                "A group of tools it sees: core, files. May be repeated; every group if absent."
            })
    List<String> toolsets = new ArrayList<>();

    @Option(
            names = "--volume",
            paramLabel = "NAME[:ro|rw]",
            description = {
                "A volume each of its runs has at /volumes/NAME, may be repeated; ro if not said.",
                "Its owner must grant it to the key."
            })
    List<String> volumes = new ArrayList<>();

    @Option(
            names = "--days",
            paramLabel = "DAYS",
            description = "How long it is valid; for ever if absent.")
    @Nullable Integer days;

    @Option(
            names = "--strict-params",
            description = {
                "Over MCP, arguments that fail a tool's schema are answered with the error -32602",
                "instead of a result that says what is wrong."
            })
    boolean strictParams;

    @Option(names = "--json", description = "Prints JSON.")
    boolean json;

    KeyCreateCommand(Product product, InstantSource clock) {
        this.product = product;
        this.clock = clock;
    }

    @Override
    public Integer call() throws Exception {
        var wanted =
                new KeyDesk.Wanted(
                        name,
                        checkedScopes(),
                        checkedToolsets(),
                        volumes.stream().map(this::checkedVolume).toList(),
                        checkedExpiry(),
                        strictParams);
        try (var desk = product.keys(options.read(product).config())) {
            print(desk.create(wanted));
        }
        return Product.OK;
    }

    private void print(KeyDesk.Created created) {
        var out = Output.of(spec);
        if (json) {
            var node = Json.object().put("id", created.id()).put("name", name);
            out.println(Json.pretty(node.put("key", created.key())));
        } else {
            out.println(created.key());
            out.println("Keep it now: it is not shown again. Its id is " + created.id() + ".");
        }
    }

    private Optional<Instant> checkedExpiry() {
        if (days == null) {
            return Optional.empty();
        }
        if (days < 1 || days > DAYS_MAX) {
            throw Output.mistyped(spec, "--days must be from 1 to " + DAYS_MAX);
        }
        return Optional.of(clock.instant().plus(Duration.ofDays(days)));
    }

    private Set<Scope> checkedScopes() {
        return scopes.isEmpty()
                ? USUAL
                : scopes.stream().map(this::checkedScope).collect(Collectors.toSet());
    }

    private Scope checkedScope(String word) {
        var all = KeyCommand.words(Arrays.asList(Scope.values()));
        return Scope.of(word)
                .orElseThrow(
                        () -> Output.mistyped(spec, "--scope " + word + " is not one of " + all));
    }

    private Set<String> checkedToolsets() {
        for (var name : toolsets) {
            if (!Toolset.exists(name)) {
                var all = String.join(", ", Toolset.words());
                throw Output.mistyped(spec, "--toolset " + name + " is not one of " + all);
            }
        }
        return Set.copyOf(toolsets);
    }

    private StandingVolume checkedVolume(String text) {
        return StandingVolume.of(text)
                .orElseThrow(() ->
                        Output.mistyped(
                                spec,
                                "--volume "
                                        + text
                                        + " is not the name of a volume, such as data:rw"));
    }
}

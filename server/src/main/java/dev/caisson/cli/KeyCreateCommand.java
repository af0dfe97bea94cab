package dev.caisson.cli;

import dev.caisson.call.Caller;
import dev.caisson.call.NetworkRule;
import dev.caisson.call.Scope;
import dev.caisson.call.StandingVolume;
import dev.caisson.call.ToolPatterns;
import dev.caisson.call.Toolset;
import dev.caisson.call.Variables;
import dev.caisson.json.Json;
import dev.caisson.json.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Command `key create`: creates a key and prints it once.
@Command(name = "create", description = "Creates a key and prints it once.")
final class KeyCreateCommand implements Callable<Integer> {
    /// A hundred years.
    private static final int DAYS_MAX = 36_500;

    private static final int NETWORK_BYTES_MAX = 32 << 10;

    private static final Set<Scope> USUAL = Set.of(Scope.RUN, Scope.FILES_READ, Scope.FILES_WRITE);

    private final Product product;
    private final InstantSource clock;

    @Mixin ConfigOptions options = new ConfigOptions();

    @Spec @Nullable CommandSpec spec;

    @Parameters(paramLabel = "NAME", description = "The name of the key.")
    String name = "";

    @Option(
            names = "--scope",
            paramLabel = "SCOPE",
            description = {
                "A scope of the key: run, files_read, files_write, tools, approve, audit, admin. May be",
                "repeated; run, files_read and files_write if absent."
            })
    List<String> scopes = new ArrayList<>();

    @Option(
            names = "--toolset",
            paramLabel = "NAME",
            completionCandidates = ToolsetNames.class,
            description =
                    "A toolset the key sees: ${COMPLETION-CANDIDATES}. May be repeated; all toolsets"
                            + " if absent.")
    List<String> toolsets = new ArrayList<>();

    @Option(
            names = "--tools",
            paramLabel = "PATTERN",
            description = {
                "A pattern of tools of other servers that the key sees, such as 'github.*' or",
                "github.list_issues. May be repeated; all if absent, none with --tools ''. Needs the",
                "scope tools."
            })
    List<String> tools = new ArrayList<>();

    @Option(
            names = "--network",
            paramLabel = "FILE",
            description = {
                "What its programs may reach, in JSON or YAML: allow with rules of host, ports,",
                "methods, paths, headers and private. No network if absent."
            })
    @Nullable Path network;

    @Option(
            names = "--allow-host",
            paramLabel = "HOST[:PORT]",
            description = {
                "A host that its programs may reach, at port 443 or another one; *.NAME for all names",
                "below NAME. May be repeated, also beside --network."
            })
    List<String> hosts = new ArrayList<>();

    @Option(
            names = "--volume",
            paramLabel = "NAME[:ro|rw]",
            description = {
                "A volume that its runs mount at /volumes/NAME. May be repeated; ro by default.",
                "Its owner must grant it to the key."
            })
    List<String> volumes = new ArrayList<>();

    @Option(
            names = "--profile",
            paramLabel = "NAME",
            description =
                    "The profile of its sandboxes; default if absent. See caisson profile list.")
    String profile = Caller.DEFAULT_PROFILE;

    @Option(
            names = "--environment",
            paramLabel = "NAME",
            description = {
                "An environment that its runs may use, the first without asking. May be repeated;",
                "those of the profile if absent. See caisson environment list."
            })
    List<String> environments = new ArrayList<>();

    @Option(
            names = "--env",
            paramLabel = "NAME=VALUE",
            description = "An environment variable of its programs. May be repeated.")
    Map<String, String> env = new LinkedHashMap<>();

    @Option(
            names = "--secret-env",
            paramLabel = "NAME",
            description = {
                "A secret variable of its programs, with the value it has in the environment of this",
                "command. May be repeated."
            })
    List<String> secretEnv = new ArrayList<>();

    @Option(
            names = "--days",
            paramLabel = "DAYS",
            description = "How many days the key is valid; for ever if absent.")
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
                new KeyAdmin.Wanted(
                        name,
                        checkedScopes(),
                        checkedToolsets(),
                        volumes.stream().map(this::checkedVolume).toList(),
                        checkedExpiry(),
                        strictParams,
                        profile,
                        environments,
                        new Variables(env, checkedSecrets()),
                        checkedTools(),
                        checkedNetwork());
        try (var desk = product.keysMade(options.read(product))) {
            var warnings = warnings(desk);
            print(desk.create(wanted), desk.dataUse());
            warnings.forEach(sentence -> CommandOutput.warn(spec, sentence));
        }
        return Product.OK;
    }

    private void print(KeyAdmin.Created created, DataUse data) {
        var out = CommandOutput.of(spec);
        if (json) {
            var node = Json.object().put("id", created.id()).put("name", name);
            node.put("key", created.key()).put("data_directory", data.directory().toString());
            out.println(Json.pretty(node));
        } else {
            out.println(created.key());
            out.println(
                    "Save the key now: it is not shown again. Its id is %s. %s"
                            .formatted(created.id(), data.line()));
        }
    }

    /// Everything that is allowed and yet seldom meant.
    private List<String> warnings(KeyAdmin desk) {
        var all = new ArrayList<String>();
        desk.dataUse().warning().ifPresent(all::add);
        desk.list().stream()
                .filter(key -> key.name().equals(name) && key.revoked().isEmpty())
                .findFirst()
                .ifPresent(key ->
                        all.add(
                                "Another key is named %s too: %s. To revoke it: caisson key revoke %s"
                                        .formatted(name, key.id(), key.id())));
        volumes.stream()
                .map(text -> checkedVolume(text).name())
                .filter(volume -> !desk.hasVolume(volume))
                .forEach(volume ->
                        all.add(
                                "There is no volume %s. Runs of this key are refused until it exists and is granted to the key."
                                        .formatted(volume)));
        return all;
    }

    private Optional<Instant> checkedExpiry() {
        if (days == null) {
            return Optional.empty();
        }
        if (days < 1 || days > DAYS_MAX) {
            throw CommandOutput.mistyped(spec, "--days must be from 1 to " + DAYS_MAX);
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
                .orElseThrow(() ->
                        CommandOutput.mistyped(spec, "--scope " + word + " is not one of " + all));
    }

    private Set<String> checkedToolsets() {
        for (var name : toolsets) {
            if (!Toolset.exists(name)) {
                var all = String.join(", ", Toolset.words());
                throw CommandOutput.mistyped(spec, "--toolset " + name + " is not one of " + all);
            }
        }
        return Set.copyOf(toolsets);
    }

    private ToolPatterns checkedTools() {
        if (tools.isEmpty()) {
            return ToolPatterns.ALL;
        }
        var given = tools.stream().filter(pattern -> !pattern.isEmpty()).toList();
        for (var pattern : given) {
            if (!ToolPatterns.isPattern(pattern)) {
                throw CommandOutput.mistyped(
                        spec,
                        "--tools " + pattern + " is not a pattern of tools, such as github.*");
            }
        }
        return new ToolPatterns(given);
    }

    private Optional<JsonNode> checkedNetwork() {
        if (network == null && hosts.isEmpty()) {
            return Optional.empty();
        }
        var form = network == null ? Json.object() : read(network);
        var allow = form.path("allow") instanceof ArrayNode given ? given : form.putArray("allow");
        for (var word : hosts) {
            try {
                var rule = NetworkRule.of(word);
                rule.ports()
                        .forEach(allow.addObject().put("host", rule.host()).putArray("ports")::add);
            } catch (IllegalArgumentException wrong) {
                throw CommandOutput.mistyped(
                        spec, "--allow-host " + word + ": " + wrong.getMessage());
            }
        }
        return Optional.of(form);
    }

    private ObjectNode read(Path file) {
        try {
            if (Files.size(file) <= NETWORK_BYTES_MAX
                    && Yaml.parse(Files.readString(file)).tree() instanceof ObjectNode form) {
                return form;
            }
        } catch (IOException | Yaml.Malformed unreadable) {
            throw CommandOutput.mistyped(spec, "--network " + file + " cannot be read");
        }
        throw CommandOutput.mistyped(
                spec, "--network " + file + " has no member allow, or more than 32 KiB");
    }

    private Map<String, String> checkedSecrets() {
        var values = new LinkedHashMap<String, String>();
        for (var name : secretEnv) {
            var value = System.getenv(name);
            if (value == null) {
                throw CommandOutput.mistyped(
                        spec,
                        "--secret-env " + name + " is not in the environment of this command");
            }
            values.put(name, value);
        }
        return values;
    }

    private StandingVolume checkedVolume(String text) {
        return StandingVolume.of(text)
                .orElseThrow(() ->
                        CommandOutput.mistyped(
                                spec,
                                "--volume "
                                        + text
                                        + " is not the name of a volume, such as data:rw"));
    }
}

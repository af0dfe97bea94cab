package dev.caisson.cli;

import dev.caisson.config.Effective;
import dev.caisson.json.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ObjectNode;

/// Command `upstream install`.
@Command(
        name = "install",
        description = {
            "Installs an npm package in one exact version, and adds it as an upstream.",
            "It is fetched in a sandbox that reaches the registry of npm alone (environments.registries,"
                    + " else what npm of this machine uses), and no script of any package runs.",
            "The program reads its package and has no network but --allow."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  caisson upstream install npm \\",
            "      @modelcontextprotocol/server-memory@2026.8.31 memory",
            "  caisson upstream install npm weather-mcp@1.4.2 weather \\",
            "      --allow api.example.org --env 'API_KEY=$${secret:weather}' -- stdio",
            "  caisson upstream install npm weather-mcp@1.5.0 weather --replace"
        })
final class UpstreamInstallCommand implements Callable<Integer> {
    private static final long MIB = 1 << 20;

    private final Product product;

    @Mixin ConfigOptions options = new ConfigOptions();

    @Mixin UpstreamEntryOptions members = new UpstreamEntryOptions();

    @Spec @Nullable CommandSpec spec;

    @Parameters(index = "0", paramLabel = "npm", description = "Where the package comes from: npm.")
    String kind = "";

    @Parameters(
            index = "1",
            paramLabel = "NAME@VERSION",
            description = "The package and its exact version.")
    String words = "";

    @Parameters(
            index = "2",
            paramLabel = "ID",
            description = "Its id: small letters, digits and -, up to 40.")
    String id = "";

    @Parameters(
            index = "3..*",
            arity = "0..*",
            paramLabel = "ARGUMENT",
            description = "After --: arguments of the program.")
    List<String> arguments = new ArrayList<>();

    @Option(
            names = "--bin",
            paramLabel = "NAME",
            description = "Which program of the package, where it has several.")
    Optional<String> program = Optional.empty();

    @Option(
            names = "--replace",
            description =
                    "Gives an upstream that is there another version. What is not said anew stays as it"
                            + " is; its tools are reviewed anew.")
    boolean replace;

    @Option(
            names = {"-y", "--yes"},
            description = "Approves the tools it has without asking.")
    boolean yes;

    @Option(names = "--json", description = "Prints JSON, and asks nothing.")
    boolean json;

    UpstreamInstallCommand(Product product) {
        this.product = product;
    }

    @Override
    public Integer call() throws Exception {
        if (!kind.equals("npm")) {
            throw CommandOutput.mistyped(
                    spec,
                    "Only npm packages can be installed so. Install others into a directory yourself, and use `caisson upstream add` with --show.");
        }
        var effective = options.read(product);
        try (var desk = product.upstreams(effective)) {
            // What is wrong is said before anything is fetched.
            desk.check(entry(desk.packages(), List.of("node")), words, replace);
            var installed = install(effective);
            var entry = entry(installed.directory(), command(installed));
            var shown = new ShownTools(spec, yes, json);
            var added = replace ? shown.change(desk, entry) : shown.add(desk, entry);
            if (!json) {
                CommandOutput.of(spec)
                        .println(
                                "%d packages, %d MiB, are in %s."
                                        .formatted(
                                                installed.packages(),
                                                Math.ceilDiv(installed.bytes(), MIB),
                                                installed.directory()));
            }
            UpstreamCommand.print(spec, json, added);
            desk.dataUse().warning().ifPresent(sentence -> CommandOutput.warn(spec, sentence));
            return added.lastError().isPresent() ? Product.FAILED : Product.OK;
        }
    }

    private PackageInstaller.Installed install(Effective effective) throws Exception {
        try (var installer = product.packages(effective)) {
            return installer.npm(words, json ? CommandOutput.errors(spec) : CommandOutput.of(spec));
        }
    }

    private UpstreamAdmin.Entry entry(Path directory, List<String> command) {
        ObjectNode entry = Json.object();
        members.into(spec, entry);
        var all = entry.putArray("command");
        command.forEach(all::add);
        arguments.forEach(all::add);
        entry.putArray("show").add(directory.toString());
        return new UpstreamAdmin.Entry(id, entry);
    }

    private List<String> command(PackageInstaller.Installed installed) throws CommandFailed {
        var programs = installed.programs();
        if (programs.isEmpty()) {
            throw new CommandFailed(
                    "The package has no program. It is in %s; add it with `caisson upstream add %s --show %s -- node FILE`, if a file of it speaks MCP."
                            .formatted(installed.directory(), id, installed.directory()));
        }
        return program.or(() -> usual(installed))
                .map(programs::get)
                .orElseThrow(() ->
                        new CommandFailed(
                                "Name one of the programs of the package with --bin: %s."
                                        .formatted(
                                                String.join(
                                                        ", ", new TreeSet<>(programs.keySet())))));
    }

    /// The only one, or the one that is called like the package.
    private static Optional<String> usual(PackageInstaller.Installed installed) {
        var names = installed.programs().keySet();
        return names.size() == 1
                ? names.stream().findFirst()
                : Optional.of(installed.name()).filter(names::contains);
    }
}

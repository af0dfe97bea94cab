package dev.caisson.cli;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Group of the commands about profiles.
@Command(
        name = "profile",
        description = "Lists, shows, sets and removes profiles: what the sandboxes of keys get.",
        synopsisSubcommandLabel = "(list | show | set | remove)",
        footerHeading = "%nExamples:%n",
        footer = {
            "  caisson profile list",
            "  caisson profile set small --file small.json",
            "  caisson key create agent --profile small"
        })
final class ProfileCommand {
    static CommandLine line(Product product) {
        return new CommandLine(new ProfileCommand())
                .addSubcommand(new ListCommand(product))
                .addSubcommand(new ShowCommand(product))
                .addSubcommand(new SetCommand(product))
                .addSubcommand(new RemoveCommand(product));
    }

    /// Command `profile list`.
    @Command(name = "list", description = "Lists profiles.")
    static final class ListCommand implements Callable<Integer> {
        private final Product product;

        @Mixin ConfigOptions options = new ConfigOptions();

        @Spec @Nullable CommandSpec spec;

        @Option(names = "--json", description = "Prints JSON.")
        boolean json;

        ListCommand(Product product) {
            this.product = product;
        }

        @Override
        public Integer call() throws Exception {
            var out = CommandOutput.of(spec);
            try (var desk = product.profiles(options.read(product))) {
                var all = desk.list();
                if (json) {
                    var array = Json.array();
                    all.forEach(array::add);
                    out.println(Json.pretty(array));
                } else {
                    out.println("%-24s  %-14s  %s".formatted("NAME", "SOURCE", "DESCRIPTION"));
                    all.forEach(one -> out.println(row(one)));
                }
            }
            return Product.OK;
        }

        private static String row(ObjectNode profile) {
            return "%-24s  %-14s  %s"
                    .formatted(
                            profile.path("name").stringValue(),
                            profile.path("source").stringValue(),
                            profile.path("description").asString(""))
                    .stripTrailing();
        }
    }

    /// Command `profile show`.
    @Command(name = "show", description = "Prints a profile as JSON, of its secrets the names.")
    static final class ShowCommand implements Callable<Integer> {
        private final Product product;

        @Mixin ConfigOptions options = new ConfigOptions();

        @Spec @Nullable CommandSpec spec;

        @Parameters(paramLabel = "NAME", description = "The name of the profile.")
        String name = "";

        @Option(names = "--json", description = "Prints JSON, as it does anyway.")
        boolean json;

        ShowCommand(Product product) {
            this.product = product;
        }

        @Override
        public Integer call() throws Exception {
            try (var desk = product.profiles(options.read(product))) {
                var shown =
                        desk.show(name)
                                .orElseThrow(() ->
                                        new Refusal(
                                                Reason.NOT_FOUND,
                                                "There is no profile " + name + "."));
                CommandOutput.of(spec).println(Json.pretty(shown));
            }
            return Product.OK;
        }
    }

    /// Command `profile set`.
    @Command(
            name = "set",
            description = "Stores a profile from a file of JSON, in place of the one of that name.")
    static final class SetCommand implements Callable<Integer> {
        private final Product product;

        @Mixin ConfigOptions options = new ConfigOptions();

        @Spec @Nullable CommandSpec spec;

        @Parameters(paramLabel = "NAME", description = "The name of the profile.")
        String name = "";

        @Option(
                names = "--file",
                required = true,
                paramLabel = "FILE",
                description = "Settings as REST takes them; - for standard input.")
        String file = "";

        @Option(names = "--json", description = "Prints the profile as JSON.")
        boolean json;

        SetCommand(Product product) {
            this.product = product;
        }

        @Override
        public Integer call() throws Exception {
            var body = body();
            try (var desk = product.profiles(options.read(product))) {
                var stored = desk.set(name, body);
                CommandOutput.of(spec)
                        .println(json ? Json.pretty(stored) : "The profile " + name + " is set.");
            }
            return Product.OK;
        }

        private ObjectNode body() throws IOException {
            try {
                var text =
                        file.equals("-")
                                ? System.in.readAllBytes()
                                : Files.readAllBytes(Path.of(file));
                JsonNode node = Json.parse(text);
                if (node instanceof ObjectNode object) {
                    return object;
                }
            } catch (JacksonException | IllegalArgumentException _) {
                throw CommandOutput.mistyped(spec, "--file " + file + " is not valid JSON");
            } catch (IOException _) {
                throw CommandOutput.mistyped(spec, "--file " + file + " cannot be read");
            }
            throw CommandOutput.mistyped(spec, "--file " + file + " is not a JSON object");
        }
    }

    /// Command `profile remove`.
    @Command(name = "remove", description = "Removes a stored profile that no key has.")
    static final class RemoveCommand implements Callable<Integer> {
        private final Product product;

        @Mixin ConfigOptions options = new ConfigOptions();

        @Spec @Nullable CommandSpec spec;

        @Parameters(paramLabel = "NAME", description = "The name of the profile.")
        String name = "";

        @Option(names = "--json", description = "Prints JSON.")
        boolean json;

        RemoveCommand(Product product) {
            this.product = product;
        }

        @Override
        public Integer call() throws Exception {
            try (var desk = product.profiles(options.read(product))) {
                desk.remove(name);
                CommandOutput.of(spec)
                        .println(
                                json
                                        ? Json.pretty(Json.object().put("removed", name))
                                        : "The profile " + name + " is removed.");
            }
            return Product.OK;
        }
    }
}

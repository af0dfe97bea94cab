package dev.caisson.cli;

import dev.caisson.json.Json;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ObjectNode;

/// Group of the commands about secrets of the vault.
@Command(
        name = "secret",
        description = "Sets, lists and removes secrets that the server keeps sealed.",
        synopsisSubcommandLabel = "(set | list | remove)",
        footerHeading = "%nExamples:%n",
        footer = {
            "  caisson secret set github             asks for the value and does not show it",
            "  caisson secret set github < token     takes it from standard input",
            "  caisson secret list"
        })
final class SecretCommand {
    static CommandLine line(Product product) {
        return new CommandLine(new SecretCommand())
                .addSubcommand(new SetCommand(product))
                .addSubcommand(new ListCommand(product))
                .addSubcommand(new RemoveCommand(product));
    }

    private static ObjectNode tree(SecretAdmin.Listed secret) {
        return Json.object()
                .put("name", secret.name())
                .put("updated_at", secret.updated().toString())
                .put("usable", secret.usable());
    }

    /// Command `secret set`.
    @Command(
            name = "set",
            description = {
                "Seals a secret, in place of the one of that name.",
                "The value comes from a prompt or from standard input, never from the command line;"
                        + " one line end at its end is left out."
            })
    static final class SetCommand implements Callable<Integer> {
        private final Product product;

        @Mixin ConfigOptions options = new ConfigOptions();

        @Spec @Nullable CommandSpec spec;

        @Parameters(
                paramLabel = "NAME",
                description = "Its name: small letters, digits, - and _, up to 64.")
        String name = "";

        @Option(names = "--json", description = "Prints JSON.")
        boolean json;

        SetCommand(Product product) {
            this.product = product;
        }

        @Override
        public Integer call() throws Exception {
            var config = options.read(product);
            var value = SecretInput.read(System.in, SecretInput.terminal(), name);
            try (var desk = product.secrets(config)) {
                var stored = desk.set(name, value);
                CommandOutput.of(spec)
                        .println(
                                json
                                        ? Json.pretty(tree(stored))
                                        : "The secret %s is set. %s"
                                                .formatted(name, desk.dataUse().line()));
                desk.dataUse().warning().ifPresent(sentence -> CommandOutput.warn(spec, sentence));
            }
            return Product.OK;
        }
    }

    /// Command `secret list`.
    @Command(name = "list", description = "Lists secrets, without their values.")
    static final class ListCommand implements Callable<Integer> {
        private static final DateTimeFormatter SHORT =
                DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm");

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
            try (var desk = product.secrets(options.read(product))) {
                var all = desk.list();
                if (json) {
                    var array = Json.array();
                    all.forEach(one -> array.add(tree(one)));
                    out.println(Json.pretty(array));
                } else if (all.isEmpty()) {
                    out.println("There are no secrets in " + desk.dataUse().directory() + ".");
                } else {
                    out.println(table(all));
                }
                if (!all.stream().allMatch(SecretAdmin.Listed::usable)) {
                    CommandOutput.warn(
                            spec,
                            "Secrets that were sealed with another key cannot be used. Give the"
                                    + " server that key back (vault.key, or the file secret of the"
                                    + " data directory), or set them again.");
                }
            }
            return Product.OK;
        }

        private static String table(List<SecretAdmin.Listed> all) {
            var table = new TextTable("NAME", "SET", "STATE");
            for (var one : all) {
                table.add(
                        one.name(),
                        SHORT.format(one.updated().atZone(ZoneId.systemDefault())),
                        one.usable() ? "usable" : "sealed with another key");
            }
            return table.text();
        }
    }

    /// Command `secret remove`.
    @Command(name = "remove", description = "Removes a secret.")
    static final class RemoveCommand implements Callable<Integer> {
        private final Product product;

        @Mixin ConfigOptions options = new ConfigOptions();

        @Spec @Nullable CommandSpec spec;

        @Parameters(paramLabel = "NAME", description = "Its name, see `caisson secret list`.")
        String name = "";

        @Option(names = "--json", description = "Prints JSON.")
        boolean json;

        RemoveCommand(Product product) {
            this.product = product;
        }

        @Override
        public Integer call() throws Exception {
            try (var desk = product.secrets(options.read(product))) {
                desk.remove(name);
                CommandOutput.of(spec)
                        .println(
                                json
                                        ? Json.pretty(Json.object().put("removed", name))
                                        : "The secret " + name + " is removed.");
            }
            return Product.OK;
        }
    }
}

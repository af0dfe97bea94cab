package dev.caisson.cli;

import dev.caisson.json.Json;
import dev.caisson.json.Printable;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/// Group of the commands about calls of which nobody knows what they did.
@Command(
        name = "calls",
        description = {
            "Lists calls of other servers' tools of which nobody knows what they did,",
            "and notes what a person found out about one."
        },
        synopsisSubcommandLabel = "(list | reconcile)",
        footerHeading = "%nExamples:%n",
        footer = {
            "  caisson calls list",
            "  caisson calls reconcile ID --happened   the other server has done it",
            "  caisson calls reconcile ID --did-not    it has not"
        })
final class CallsCommand {
    static CommandLine line(Product product) {
        return new CommandLine(new CallsCommand())
                .addSubcommand(new ListCommand(product))
                .addSubcommand(new ReconcileCommand(product));
    }

    private static String text(JsonNode one, String member) {
        return Printable.text(one.path(member).asString(""));
    }

    /// Command `calls list`.
    @Command(name = "list", description = "Lists calls with an unknown outcome, the newest first.")
    static final class ListCommand implements Callable<Integer> {
        private static final int ARGUMENTS_MAX = 80;

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
            try (var desk = product.calls(options.read(product))) {
                var list = desk.list();
                if (json) {
                    out.println(Printable.json(Json.pretty(list)));
                } else if (list.isEmpty()) {
                    out.println(
                            "The outcome of every call in "
                                    + desk.dataUse().directory()
                                    + " is known.");
                } else {
                    out.println(table(list));
                }
            }
            return Product.OK;
        }

        private static String table(JsonNode list) {
            var table = new TextTable("ID", "CALLER", "TOOL", "EFFECT", "MADE", "ARGUMENTS");
            for (var one : list) {
                table.add(
                        text(one, "id"),
                        text(one, "caller"),
                        text(one, "tool"),
                        text(one, "effect"),
                        text(one, "created_at"),
                        arguments(one));
            }
            return table.text();
        }

        private static String arguments(JsonNode one) {
            if (!one.path("arguments").isObject()) {
                return "not kept";
            }
            var text = Json.text(one.path("arguments"));
            return Printable.text(
                    text.codePointCount(0, text.length()) <= ARGUMENTS_MAX
                            ? text
                            : text.substring(0, text.offsetByCodePoints(0, ARGUMENTS_MAX - 1))
                                    + "…");
        }
    }

    /// What a person found.
    static final class Finding {
        @Option(names = "--happened", required = true, description = "The call happened there.")
        boolean happened;

        @Option(names = "--did-not", required = true, description = "It did not happen.")
        boolean didNot;
    }

    /// Command `calls reconcile`.
    @Command(name = "reconcile", description = "Notes whether a call happened.")
    static final class ReconcileCommand implements Callable<Integer> {
        private final Product product;

        @Mixin ConfigOptions options = new ConfigOptions();

        @Spec @Nullable CommandSpec spec;

        @Parameters(paramLabel = "ID", description = "Its id, see `caisson calls list`.")
        String id = "";

        @ArgGroup(multiplicity = "1")
        Finding finding = new Finding();

        @Option(names = "--json", description = "Prints JSON.")
        boolean json;

        ReconcileCommand(Product product) {
            this.product = product;
        }

        @Override
        public Integer call() throws Exception {
            try (var desk = product.calls(options.read(product))) {
                var one = desk.reconcile(id, finding.happened);
                CommandOutput.of(spec)
                        .println(
                                json
                                        ? Printable.json(Json.pretty(one))
                                        : "%s: %s."
                                                .formatted(
                                                        text(one, "tool"),
                                                        finding.happened
                                                                ? "it happened"
                                                                : "it did not happen"));
                desk.dataUse().warning().ifPresent(sentence -> CommandOutput.warn(spec, sentence));
            }
            return Product.OK;
        }
    }
}

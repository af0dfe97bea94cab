package dev.caisson.cli;

import dev.caisson.json.Json;
import dev.caisson.json.Printable;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/// Group of the commands about approvals.
@Command(
        name = "approvals",
        description = {
            "Lists calls that wait for a person, approves and denies them.",
            "A server that runs on the data directory hears of a decision within a second."
        },
        synopsisSubcommandLabel = "(list | approve | deny)",
        footerHeading = "%nExamples:%n",
        footer = {
            "  caisson approvals list",
            "  caisson approvals approve ID                  this call",
            "  caisson approvals approve ID --scope always   the tool for this key, by a rule",
            "  caisson approvals deny ID --reason 'not now'"
        })
final class ApprovalsCommand {
    static CommandLine line(Product product) {
        return new CommandLine(new ApprovalsCommand())
                .addSubcommand(new ListCommand(product))
                .addSubcommand(new ApproveCommand(product))
                .addSubcommand(new DenyCommand(product));
    }

    private static String text(JsonNode one, String member) {
        return Printable.text(one.path(member).asString(""));
    }

    /// Command `approvals list`.
    @Command(name = "list", description = "Lists calls that wait for a person, the newest first.")
    static final class ListCommand implements Callable<Integer> {
        private final Product product;

        @Mixin ConfigOptions options = new ConfigOptions();

        @Spec @Nullable CommandSpec spec;

        @Option(names = "--all", description = "Also those that were decided.")
        boolean all;

        @Option(names = "--json", description = "Prints JSON.")
        boolean json;

        ListCommand(Product product) {
            this.product = product;
        }

        @Override
        public Integer call() throws Exception {
            var out = CommandOutput.of(spec);
            try (var desk = product.approvals(options.read(product))) {
                var list = desk.list(all);
                if (json) {
                    out.println(Printable.json(Json.pretty(list)));
                } else if (list.isEmpty()) {
                    out.println("Nothing waits in " + desk.dataUse().directory() + ".");
                } else {
                    out.println(table(list));
                }
            }
            return Product.OK;
        }

        private static String table(JsonNode list) {
            var table =
                    new TextTable("ID", "STATE", "CALLER", "TOOL", "RULE", "ASKED", "ARGUMENTS");
            for (var one : list) {
                table.add(
                        text(one, "id"),
                        text(one, "state"),
                        text(one, "caller_name"),
                        text(one, "tool"),
                        text(one, "rule"),
                        text(one, "created_at"),
                        arguments(one));
            }
            return table.text();
        }

        private static String arguments(JsonNode one) {
            var text =
                    one.path("arguments").isObject()
                            ? Json.text(one.path("arguments"))
                            : one.path("arguments_start").asString("") + "…";
            return Printable.text(
                    text.codePointCount(0, text.length()) <= 80
                            ? text
                            : text.substring(0, text.offsetByCodePoints(0, 79)) + "…");
        }
    }

    /// A decision on one of them.
    abstract static class DecideCommand implements Callable<Integer> {
        private final Product product;
        private final boolean approve;

        @Mixin ConfigOptions options = new ConfigOptions();

        @Spec @Nullable CommandSpec spec;

        @Parameters(paramLabel = "ID", description = "Its id, see `caisson approvals list`.")
        String id = "";

        @Option(
                names = "--reason",
                paramLabel = "TEXT",
                description = "Why; the program or the client is told.")
        Optional<String> reason = Optional.empty();

        @Option(names = "--json", description = "Prints JSON.")
        boolean json;

        DecideCommand(Product product, boolean approve) {
            this.product = product;
            this.approve = approve;
        }

        String scope() {
            return "once";
        }

        boolean ofArguments() {
            return false;
        }

        @Override
        public Integer call() throws Exception {
            if (!scope().matches("once|run|always")) {
                throw CommandOutput.mistyped(spec, "--scope may be once, run or always");
            }
            try (var desk = product.approvals(options.read(product))) {
                var one = desk.decide(id, approve, scope(), ofArguments(), reason);
                CommandOutput.of(spec)
                        .println(
                                json
                                        ? Printable.json(Json.pretty(one))
                                        : "%s is %s."
                                                .formatted(text(one, "tool"), text(one, "state")));
                desk.dataUse().warning().ifPresent(sentence -> CommandOutput.warn(spec, sentence));
            }
            return Product.OK;
        }
    }

    /// Command `approvals approve`.
    @Command(name = "approve", description = "Approves a call that waits.")
    static final class ApproveCommand extends DecideCommand {
        @Option(
                names = "--scope",
                paramLabel = "SCOPE",
                description =
                        "once (as if absent), run: this tool for the rest of the run, always.")
        String scope = "once";

        @Option(names = "--arguments", description = "With always: these very arguments alone.")
        boolean arguments;

        ApproveCommand(Product product) {
            super(product, true);
        }

        @Override
        String scope() {
            return scope;
        }

        @Override
        boolean ofArguments() {
            return arguments;
        }
    }

    /// Command `approvals deny`.
    @Command(name = "deny", description = "Denies a call that waits.")
    static final class DenyCommand extends DecideCommand {
        DenyCommand(Product product) {
            super(product, false);
        }
    }
}

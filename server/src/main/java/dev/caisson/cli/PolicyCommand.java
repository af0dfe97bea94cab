package dev.caisson.cli;

import dev.caisson.json.Json;
import java.nio.file.Path;
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
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Group of the commands about the policy.
@Command(
        name = "policy",
        description = {
            "Shows, explains, tests and changes the rules that decide about calls of tools.",
            "A server that runs on the data directory sees every change within a second."
        },
        synopsisSubcommandLabel = "(list | explain | test | add | remove)",
        footerHeading = "%nExamples:%n",
        footer = {
            "  caisson policy explain --key agent --call github/create_issue --arguments '{}'",
            "  caisson policy add 'agents may open issues' --decide allow \\",
            "      --caller 'agent-*' --server github --tool create_issue --rate 30/m",
            "  caisson policy test policy.yaml --days 30     what would this file change?",
            "  caisson policy test --suggest                 prints rules for what was used"
        })
final class PolicyCommand {
    static CommandLine line(Product product) {
        return new CommandLine(new PolicyCommand())
                .addSubcommand(new ListCommand(product))
                .addSubcommand(new ExplainCommand(product))
                .addSubcommand(new PolicyTestCommand(product))
                .addSubcommand(new PolicyAddCommand(product))
                .addSubcommand(new RemoveCommand(product));
    }

    /// @throws CommandLine.ParameterException when the text is no object
    static ObjectNode object(@Nullable CommandSpec spec, String option, String text) {
        try {
            if (Json.parse(text) instanceof ObjectNode object) {
                return object;
            }
        } catch (JacksonException | IllegalArgumentException _) {
            throw CommandOutput.mistyped(spec, option + " is not valid JSON");
        }
        throw CommandOutput.mistyped(spec, option + " is not a JSON object");
    }

    /// Command `policy list`.
    @Command(name = "list", description = "Lists the rules in the order in which they are asked.")
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
            try (var desk = product.policy(options.read(product))) {
                var all = desk.list();
                CommandOutput.of(spec).println(json ? PolicyText.json(all) : PolicyText.rules(all));
                for (var problem : all.path("problems")) {
                    CommandOutput.warn(spec, problem.asString());
                }
            }
            return Product.OK;
        }
    }

    /// Command `policy explain`.
    @Command(
            name = "explain",
            description = {
                "Says what becomes of a call, and why: every rule, and why it matches or not.",
                "Without --arguments or --door, what depends on them is not known."
            })
    static final class ExplainCommand implements Callable<Integer> {
        private final Product product;

        @Mixin ConfigOptions options = new ConfigOptions();

        @Spec @Nullable CommandSpec spec;

        @Option(
                names = "--key",
                paramLabel = "KEY",
                description = "The name or the id of the key that calls; the local user if absent.")
        Optional<String> key = Optional.empty();

        @Option(
                names = "--call",
                required = true,
                paramLabel = "SERVER/TOOL",
                description = "The tool, such as github/create_issue.")
        String called = "";

        @Option(names = "--arguments", paramLabel = "JSON", description = "The arguments.")
        Optional<String> arguments = Optional.empty();

        @Option(
                names = "--door",
                paramLabel = "DOOR",
                description = "Where the call comes in: mcp, stdio, rest, sandbox, inside.")
        Optional<String> door = Optional.empty();

        @Option(names = "--json", description = "Prints JSON.")
        boolean json;

        ExplainCommand(Product product) {
            this.product = product;
        }

        @Override
        public Integer call() throws Exception {
            var given = arguments.map(text -> object(spec, "--arguments", text));
            try (var desk = product.policy(options.read(product))) {
                var answer = desk.explain(key, called, given, door);
                CommandOutput.of(spec)
                        .println(json ? PolicyText.json(answer) : PolicyText.explained(answer));
            }
            return Product.OK;
        }
    }

    /// Command `policy test`.
    @Command(
            name = "test",
            description = {
                "Judges recorded calls by the rules of a file and lists what would change.",
                "With --suggest it prints the smallest list of rules that allows what was used."
            })
    static final class PolicyTestCommand implements Callable<Integer> {
        private final Product product;

        @Mixin ConfigOptions options = new ConfigOptions();

        @Spec @Nullable CommandSpec spec;

        @Parameters(
                paramLabel = "FILE",
                arity = "0..1",
                description = "A file of rules, in YAML or JSON.")
        Optional<Path> file = Optional.empty();

        @Option(
                names = "--days",
                paramLabel = "N",
                defaultValue = "30",
                description = "How far back, 1 to 90 days; 30 if absent.")
        int days = 30;

        @Option(
                names = "--in-place-of",
                paramLabel = "PLACE",
                defaultValue = "file",
                description = "Which rules they replace: file (as if absent), database or all.")
        String replaced = "file";

        @Option(names = "--suggest", description = "Prints rules for what was used.")
        boolean suggest;

        @Option(names = "--refused", description = "With --suggest: also for what was refused.")
        boolean refused;

        @Option(names = "--json", description = "Prints JSON.")
        boolean json;

        PolicyTestCommand(Product product) {
            this.product = product;
        }

        @Override
        public Integer call() throws Exception {
            if (suggest == file.isPresent()) {
                throw CommandOutput.mistyped(spec, "Give a FILE to test, or --suggest");
            }
            if (!replaced.matches("file|database|all")) {
                throw CommandOutput.mistyped(spec, "--in-place-of may be file, database or all");
            }
            try (var desk = product.policy(options.read(product))) {
                print(
                        suggest
                                ? desk.suggest(days, refused)
                                : desk.test(file.orElseThrow(), replaced, days));
                desk.dataUse().warning().ifPresent(sentence -> CommandOutput.warn(spec, sentence));
            }
            return Product.OK;
        }

        private void print(JsonNode answer) {
            var text = suggest ? PolicyText.suggested(answer) : PolicyText.tested(answer);
            CommandOutput.of(spec).println(json ? PolicyText.json(answer) : text);
        }
    }

    /// Command `policy remove`.
    @Command(name = "remove", description = "Removes a stored rule.")
    static final class RemoveCommand implements Callable<Integer> {
        private final Product product;

        @Mixin ConfigOptions options = new ConfigOptions();

        @Spec @Nullable CommandSpec spec;

        @Parameters(paramLabel = "NAME", description = "Its name, see `caisson policy list`.")
        String name = "";

        @Option(names = "--json", description = "Prints JSON.")
        boolean json;

        RemoveCommand(Product product) {
            this.product = product;
        }

        @Override
        public Integer call() throws Exception {
            try (var desk = product.policy(options.read(product))) {
                desk.remove(name);
                CommandOutput.of(spec)
                        .println(
                                json
                                        ? Json.pretty(Json.object().put("removed", name))
                                        : "The rule " + name + " is removed.");
                desk.dataUse().warning().ifPresent(sentence -> CommandOutput.warn(spec, sentence));
            }
            return Product.OK;
        }
    }
}

package dev.caisson.cli;

import dev.caisson.json.Json;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ObjectNode;

/// Command `policy add`.
@Command(
        name = "add",
        description = {
            "Stores a rule in the database, in place of the one of that name.",
            "It decides about calls that match everything that is given; patterns take * and ?."
        })
final class PolicyAddCommand implements Callable<Integer> {
    private final Product product;

    @Mixin ConfigOptions options = new ConfigOptions();

    @Spec @Nullable CommandSpec spec;

    @Parameters(paramLabel = "NAME", description = "Its name, such as 'deletes need a person'.")
    String name = "";

    @Option(
            names = "--decide",
            required = true,
            paramLabel = "DECISION",
            description = "What becomes of the calls: allow, ask or deny.")
    String decide = "";

    @Option(names = "--caller", paramLabel = "KEY", description = "The name or id of a key.")
    Optional<String> caller = Optional.empty();

    @Option(names = "--server", paramLabel = "ID", description = "The id of a server.")
    Optional<String> server = Optional.empty();

    @Option(names = "--tool", paramLabel = "TOOL", description = "The name of a tool there.")
    Optional<String> tool = Optional.empty();

    @Option(
            names = "--effect",
            split = ",",
            paramLabel = "EFFECT",
            description = "What the tool may do: read, write, destroy, unknown; several by commas.")
    List<String> effects = List.of();

    @Option(names = "--trust", paramLabel = "TRUST", description = "trusted or untrusted.")
    Optional<String> trust = Optional.empty();

    @Option(
            names = "--door",
            split = ",",
            paramLabel = "DOOR",
            description = "mcp, stdio, rest, cli, sandbox or inside; several by commas.")
    List<String> doors = List.of();

    @Option(
            names = "--arguments",
            paramLabel = "SCHEMA",
            description = "A JSON Schema that the arguments conform to.")
    Optional<String> arguments = Optional.empty();

    @Option(names = "--reason", paramLabel = "TEXT", description = "Why, as callers are told.")
    Optional<String> reason = Optional.empty();

    @Option(
            names = "--expires",
            paramLabel = "TIME",
            description = "With ask: how long an approval may be waited for, such as 1h.")
    Optional<String> expires = Optional.empty();

    @Option(names = "--rate", paramLabel = "RATE", description = "Calls of each key, as 30/m.")
    Optional<String> rate = Optional.empty();

    @Option(
            names = "--budget-calls",
            paramLabel = "CALLS",
            description = "Calls that each key may use, as 500/d.")
    Optional<String> budgetCalls = Optional.empty();

    @Option(
            names = "--budget-result-bytes",
            paramLabel = "BYTES",
            description = "Bytes of results that each key may use, as 1GiB/d.")
    Optional<String> budgetBytes = Optional.empty();

    @Option(
            names = "--position",
            paramLabel = "N",
            description = "Its place among the stored rules, from 1; the last if absent.")
    Optional<Integer> position = Optional.empty();

    @Option(names = "--json", description = "Prints the rule as JSON.")
    boolean json;

    PolicyAddCommand(Product product) {
        this.product = product;
    }

    @Override
    public Integer call() throws Exception {
        var rule = rule();
        var place = position.map(OptionalInt::of).orElseGet(OptionalInt::empty);
        try (var desk = product.policy(options.read(product))) {
            var stored = desk.set(name, rule, place);
            CommandOutput.of(spec)
                    .println(
                            json
                                    ? PolicyText.json(stored)
                                    : "The rule %s is stored. %s"
                                            .formatted(name, desk.dataUse().line()));
            desk.dataUse().warning().ifPresent(sentence -> CommandOutput.warn(spec, sentence));
        }
        return Product.OK;
    }

    private ObjectNode rule() {
        var rule = Json.object().put("decide", decide);
        var when = Json.object();
        put(when, "caller", caller);
        put(when, "server", server);
        put(when, "tool", tool);
        put(when, "effect", effects);
        put(when, "trust", trust);
        put(when, "door", doors);
        arguments.ifPresent(
                text -> when.set("arguments", PolicyCommand.object(spec, "--arguments", text)));
        if (!when.isEmpty()) {
            rule.set("when", when);
        }
        put(rule, "reason", reason);
        put(rule, "expires", expires);
        put(rule, "rate", rate);
        var budget = Json.object();
        put(budget, "calls", budgetCalls);
        put(budget, "result_bytes", budgetBytes);
        if (!budget.isEmpty()) {
            rule.set("budget", budget);
        }
        return rule;
    }

    private static void put(ObjectNode object, String member, Optional<String> value) {
        value.ifPresent(text -> object.put(member, text));
    }

    private static void put(ObjectNode object, String member, List<String> values) {
        if (!values.isEmpty()) {
            var array = object.putArray(member);
            values.forEach(array::add);
        }
    }
}

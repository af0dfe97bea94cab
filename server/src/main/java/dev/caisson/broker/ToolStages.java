package dev.caisson.broker;

import dev.caisson.call.Call;
import dev.caisson.call.FullDisk;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import tools.jackson.databind.node.ObjectNode;

/// Stages of a call between the lookup of its tool and its record, as one list in the order in
/// which they are passed. The first five look at the call and refuse it or hand it on; the last
/// runs the tool.
final class ToolStages {
    /// A call on its way to its tool.
    ///
    /// @param need what must be approved, once the policy has said so
    record Passing(
            Call call, ToolIndex.Entry tool, ObjectNode arguments, Optional<ApprovalNeed> need) {
        ToolSpec spec() {
            return tool.tool().spec();
        }
    }

    /// A stage before the tool.
    ///
    /// @param name as ARCHITECTURE.md has it
    record Stage(String name, Check check) {}

    @FunctionalInterface
    interface Check {
        /// The call for the next stage.
        ///
        /// @throws Refusal when it may not go on
        Passing pass(Passing passing) throws InterruptedException;
    }

    private final List<Stage> checks;
    private final RedactedExit exit;
    private final BiConsumer<Call, ActionRequest> beginning;

    /// @param beginning is told of a call right before its tool
    ToolStages(CallRules rules, RedactedExit exit, BiConsumer<Call, ActionRequest> beginning) {
        this.exit = exit;
        this.beginning = beginning;
        this.checks =
                List.of(
                        new Stage("review", ToolStages::review),
                        new Stage("features", ToolStages::features),
                        new Stage("schema", ToolStages::schema),
                        new Stage("policy", passing -> policy(rules.policy(), passing)),
                        new Stage("consent", passing -> consent(rules, passing)));
    }

    List<String> names() {
        return checks.stream().map(Stage::name).toList();
    }

    /// The answer as it leaves the server.
    ToolResult answer(Call call, ToolIndex.Entry entry, ObjectNode given)
            throws InterruptedException {
        try {
            var passing = new Passing(call, entry, given, Optional.empty());
            for (var stage : checks) {
                passing = stage.check().pass(passing);
            }
            return exit.result(call, entry.tool(), run(passing), entry.words());
        } catch (Refusal refusal) {
            throw exit.refusal(call.caller(), entry.tool().secrets(given), refusal);
        }
    }

    /// No person is asked to approve what nobody may call.
    private static Passing review(Passing passing) {
        passing.tool().tool().requireOpen();
        return passing;
    }

    private static Passing features(Passing passing) {
        for (var feature : passing.spec().needs()) {
            if (!passing.call().features().contains(feature)) {
                throw new Refusal(
                        Reason.MISSING_CAPABILITY,
                        passing.spec().name()
                                + " needs a client that declares "
                                + feature.name().toLowerCase(Locale.ROOT)
                                + ".",
                        Map.of("feature", feature.name()));
            }
        }
        return passing;
    }

    /// A member that is null where the schema wants a value counts as absent, and a value in the
    /// form of a text as the value.
    private static Passing schema(Passing passing) {
        return new Passing(
                passing.call(),
                passing.tool(),
                accepted(passing.tool(), passing.arguments()),
                Optional.empty());
    }

    /// The arguments as the tool gets them.
    ///
    /// @throws Refusal INVALID_ARGUMENT with every mistake in them
    static ObjectNode accepted(ToolIndex.Entry tool, ObjectNode given) {
        var spec = tool.tool().spec();
        var whole = NullArguments.without(given, spec.inputSchema());
        var arguments = ArgumentCoercion.of(whole, spec);
        var complaints = tool.input().get().complaints(arguments);
        if (!complaints.isEmpty()) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "The arguments of "
                            + spec.name()
                            + " are not valid: "
                            + String.join("; ", complaints),
                    Map.of("complaints", complaints));
        }
        return arguments;
    }

    private static Passing policy(CallPolicy policy, Passing passing) {
        try (var _ = timer(passing, "broker.policy")) {
            return new Passing(
                    passing.call(),
                    passing.tool(),
                    passing.arguments(),
                    policy.check(passing.call(), request(passing)));
        }
    }

    private static Passing consent(CallRules rules, Passing passing) throws InterruptedException {
        if (passing.need().isPresent()) {
            try (var _ = timer(passing, "broker.approval")) {
                rules.consent().obtain(passing.call(), request(passing), passing.need().get());
            }
            rules.policy().approved(passing.call(), passing.need().get());
        }
        return passing;
    }

    private static ActionRequest request(Passing passing) {
        return ToolLookup.request(passing.tool(), passing.arguments());
    }

    private ToolResult run(Passing passing) throws InterruptedException {
        var call = passing.call();
        var tool = passing.tool().tool();
        if (!tool.spec().hints().readOnly()) {
            call.notes().mayChange();
        }
        beginning.accept(call, request(passing));
        var messages = new RedactedMessages(call.messages(), exit.redactor(call, tool));
        try {
            return checked(passing.tool(), called(passing, call.withMessages(messages)));
        } catch (RuntimeException failure) {
            throw FullDisk.told(failure);
        }
    }

    private static ToolResult called(Passing passing, Call call) throws InterruptedException {
        try (var _ = timer(passing, "upstream.call")) {
            return passing.tool().tool().call(call, passing.arguments());
        }
    }

    private static StepTimer timer(Passing passing, String step) {
        return StepTimer.of(passing.call().notes(), step, passing.tool().listed().origin());
    }

    /// A result that breaks its own promise is our fault, not the caller's. What tools of other
    /// servers promise is their word: whoever gets such a result is told.
    static ToolResult checked(ToolIndex.Entry entry, ToolResult result) {
        if (entry.output().isEmpty() || (result.failed() && result.structured().isEmpty())) {
            return result;
        }
        if (entry.listed().origin().isPresent()) {
            return BrokenPromise.of(entry.output().get(), result)
                    .map(broken -> result.with(BrokenPromise.NAME, broken))
                    .orElse(result);
        }
        var name = entry.tool().spec().name();
        var value =
                result.structured()
                        .orElseThrow(() ->
                                new IllegalStateException(name + " returned nothing structured"));
        var complaints = entry.output().get().get().complaints(value);
        if (!complaints.isEmpty()) {
            throw new IllegalStateException(name + " broke its output schema: " + complaints);
        }
        return result;
    }
}

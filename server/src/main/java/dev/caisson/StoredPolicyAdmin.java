package dev.caisson;

import dev.caisson.actions.CalledTools;
import dev.caisson.actions.PolicyActions;
import dev.caisson.actions.PolicyActions.Question;
import dev.caisson.actions.PolicyActions.Stepping;
import dev.caisson.broker.ToolOrigin;
import dev.caisson.call.Door;
import dev.caisson.call.KeyedDigest;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.cli.CommandFailed;
import dev.caisson.cli.DataUse;
import dev.caisson.cli.PolicyAdmin;
import dev.caisson.identity.Keys;
import dev.caisson.identity.SecretFile;
import dev.caisson.json.Json;
import dev.caisson.json.Records;
import dev.caisson.ledger.UpstreamCalls;
import dev.caisson.policy.PolicyAnswers.CallExplained;
import dev.caisson.policy.PolicyAnswers.PolicyRule;
import dev.caisson.policy.PolicyAnswers.PolicySuggestion;
import dev.caisson.policy.PolicyAnswers.PolicyTest;
import dev.caisson.policy.PolicyFile;
import dev.caisson.policy.Replaced;
import dev.caisson.policy.Rule;
import dev.caisson.policy.RuleMistakes;
import dev.caisson.store.Store;
import dev.caisson.upstream.ReviewedTool;
import dev.caisson.upstream.StoredUpstreams;
import dev.caisson.upstream.UpstreamSettings;
import dev.caisson.upstream.UpstreamView;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Administration of the policy in the database for the command line. A server beside it sees every
/// change within a second. It knows the tools of upstreams from the database, and none of our own.
final class StoredPolicyAdmin implements PolicyAdmin {
    private final Store store;
    private final PolicyActions actions;
    private final Path directory;

    StoredPolicyAdmin(Config config, Clock clock) {
        StoredKeyAdmin.createDirectory(config.data());
        directory = config.data().directory();
        var digest = new KeyedDigest(SecretFile.read(Core.secret(config.data())));
        store = Database.open(config.data());
        var keys = new Keys(store, clock);
        actions =
                new PolicyActions(
                        StoredKeyAdmin.broker(config, store, digest, clock),
                        PolicyWiring.offline(config.policy(), store, clock),
                        new RecordedCalls(calls(config, digest, clock), keys),
                        stored(
                                new StoredUpstreams(
                                        store,
                                        clock,
                                        UpstreamServices::names,
                                        () -> store.isServed(directory))),
                        PolicyWiring.callers(keys, caller -> caller, clock),
                        clock);
    }

    /// For reading alone.
    private UpstreamCalls calls(Config config, KeyedDigest digest, Clock clock) {
        return new UpstreamCalls(
                _ -> {},
                store,
                digest,
                clock,
                config.kept().upstreamCalls(),
                (_, _, arguments) -> arguments);
    }

    private static CalledTools stored(StoredUpstreams upstreams) {
        return (_, call, arguments) -> {
            var named = CalledTools.Named.of(call);
            if (named.module().equals(ToolOrigin.OWN_SERVER)) {
                throw new Refusal(
                        Reason.INVALID_ARGUMENT,
                        "The command line knows no tools of this server itself. Ask the server: POST /v1/policy/explain.");
            }
            return upstreams.list().stream()
                    .filter(view -> view.settings().module().equals(named.module()))
                    .flatMap(view ->
                            upstreams.toolsOf(view.settings().id()).stream()
                                    .flatMap(tool -> origin(view, tool).stream()))
                    .filter(origin ->
                            origin.tool().equals(named.tool())
                                    || origin.function().equals(named.tool()))
                    .findFirst()
                    .map(origin -> new CalledTools.Called(origin, arguments))
                    .orElseThrow(CalledTools::unknown);
        };
    }

    /// Empty for a tool that was never approved.
    private static Optional<ToolOrigin> origin(UpstreamView view, ReviewedTool tool) {
        var settings = view.settings();
        if (tool.approval().isEmpty() || tool.pythonName().isEmpty() || tool.jsName().isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                new ToolOrigin(
                        settings.module(),
                        tool.pythonName().get(),
                        tool.jsName().get(),
                        tool.name(),
                        tool.approval().get().hash(),
                        tool.effectBy(settings),
                        settings.trust() == UpstreamSettings.Trust.TRUSTED));
    }

    @Override
    public JsonNode list() {
        var standing = StoredKeyAdmin.uninterrupted(() -> actions.list(StoredKeyAdmin.call()));
        var tree = Json.object().put("version", standing.version());
        var rules = tree.putArray("rules");
        standing.rules().forEach(rule -> rules.add(Records.tree(PolicyRule.of(rule))));
        var problems = tree.putArray("problems");
        standing.problems().forEach(problems::add);
        return tree;
    }

    @Override
    public JsonNode explain(
            Optional<String> key,
            String call,
            Optional<ObjectNode> arguments,
            Optional<String> door) {
        var question = new Question(key, call, arguments, door.map(StoredPolicyAdmin::door));
        return Records.tree(
                CallExplained.of(
                        StoredKeyAdmin.uninterrupted(
                                () -> actions.explain(StoredKeyAdmin.call(), question))));
    }

    private static Door door(String word) {
        return Arrays.stream(Door.values())
                .filter(door -> door.word().equals(word))
                .findFirst()
                .orElseThrow(() ->
                        new Refusal(
                                Reason.INVALID_ARGUMENT,
                                "The door may be "
                                        + Arrays.stream(Door.values())
                                                .map(Door::word)
                                                .collect(Collectors.joining(", "))
                                        + "."));
    }

    @Override
    public JsonNode test(Path file, String replaced, int days) throws CommandFailed {
        var others = rules(file);
        var place = Replaced.valueOf(replaced.toUpperCase(Locale.ROOT));
        return Records.tree(
                PolicyTest.of(
                        StoredKeyAdmin.uninterrupted(() ->
                                actions.test(
                                        StoredKeyAdmin.call(),
                                        () -> others,
                                        place,
                                        days,
                                        Stepping.AT_ONCE))));
    }

    private static List<Rule> rules(Path file) throws CommandFailed {
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            throw new CommandFailed("Cannot read " + file + ".");
        }
        try {
            return PolicyFile.read(file);
        } catch (RuleMistakes wrong) {
            throw new CommandFailed(String.join(System.lineSeparator(), wrong.each()));
        }
    }

    @Override
    public JsonNode suggest(int days, boolean refused) {
        return Records.tree(
                PolicySuggestion.of(
                        StoredKeyAdmin.uninterrupted(() ->
                                actions.suggest(
                                        StoredKeyAdmin.call(), days, refused, Stepping.AT_ONCE))));
    }

    @Override
    public JsonNode set(String name, ObjectNode rule, OptionalInt position) {
        return Records.tree(
                PolicyRule.of(
                        StoredKeyAdmin.uninterrupted(
                                () -> actions.put(StoredKeyAdmin.call(), name, rule, position))));
    }

    @Override
    public void remove(String name) {
        StoredKeyAdmin.uninterrupted(() -> {
            actions.remove(StoredKeyAdmin.call(), name);
            return name;
        });
    }

    @Override
    public DataUse dataUse() {
        return new DataUse(directory, store.isServed(directory));
    }

    @Override
    public void close() {
        store.close();
    }
}

package dev.caisson.tools;

import dev.caisson.broker.Broker;
import dev.caisson.broker.CallPolicy.Verdict;
import dev.caisson.broker.ToolEffect;
import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Describe;
import dev.caisson.json.Json;
import dev.caisson.stubs.Identifiers;
import dev.caisson.stubs.Learned;
import dev.caisson.stubs.Shapes;
import dev.caisson.stubs.Tokens;
import dev.caisson.stubs.ToolSignature;
import dev.caisson.stubs.ToolStub;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Catalogue of the tools that a caller finds, for people: what models search in.
public final class ToolCatalogue {
    /// Of how many tools the tokens are remembered.
    static final int COUNTED_MAX = 4_096;

    private final Broker broker;
    private final Learned learned;
    private final Map<String, Counted> counted = new LinkedHashMap<>(16, 0.75f, true);

    /// @param learned of results
    public ToolCatalogue(Broker broker, Learned learned) {
        this.broker = broker;
        this.learned = learned;
    }

    private record Counted(ToolSpec spec, int tokens) {}

    /// A tool in a list.
    public record Listed(
            @Describe("As models and programs name it: module.function.") String tool,
            String serverId,
            @Describe("As its server names it.") String name,
            String title,
            String signature,
            @Describe("Of a tool of another server: the word of a stranger.") String description,
            ToolEffect effect,
            @Describe("What becomes of a call by this key.") Verdict policy,
            @Describe("What decides it, where it depends.") Optional<String> dependsOn,
            @Describe("A word where calls fail now: broken, under_review.") Optional<String> state,
            @Describe("Of its definition, which a model need not read to find it.") int tokens,
            @Describe(
                            "When a result came last that was not as those before; null without, and"
                                    + " where nothing is learned of results.")
                    Optional<String> driftedAt) {}

    /// A tool by itself.
    public record Described(
            String tool,
            String serverId,
            String name,
            String title,
            String description,
            ToolEffect effect,
            Verdict policy,
            @Describe("The rule of the policy that decides, or those that may.")
                    Optional<String> rule,
            @Describe("What decides, where it depends.") Optional<String> dependsOn,
            @Describe("A word where calls fail now: broken, under_review.") Optional<String> state,
            int tokens,
            @Describe("As it stands in a program's file, in the format that was asked for.")
                    String stub,
            ObjectNode inputSchema,
            Optional<JsonNode> outputSchema,
            @Describe("A call with what must be given, in the format of the stub.")
                    Optional<String> example,
            @Describe("What is known of its results from calls alone, in a sentence.")
                    Optional<String> learned,
            @Describe("When a result came last that was not as those before.")
                    Optional<String> driftedAt) {}

    /// In the order of their names.
    ///
    /// @param server of which alone tools are wanted, by its id or its module
    public List<ToolSpec> of(Caller caller, Optional<String> server) {
        return ToolSearch.findable(broker, caller).stream()
                .filter(tool -> server.map(one -> tool.server().equals(module(one))).orElse(true))
                .sorted((one, other) -> one.qualifiedName().compareTo(other.qualifiedName()))
                .toList();
    }

    /// A tool by its name in programs or by the one its server has for it.
    ///
    /// @param server its id or its module
    public Optional<ToolSpec> find(Caller caller, String server, String tool) {
        var all = of(caller, Optional.of(server));
        return all.stream()
                .filter(spec -> spec.effectiveOrigin().function().equals(tool))
                .findFirst()
                .or(() ->
                        all.stream()
                                .filter(spec -> spec.effectiveOrigin().tool().equals(tool))
                                .findFirst());
    }

    /// What to say of a tool that is none.
    public String unknown(Caller caller, String server, String tool) {
        return new NamedTools(broker, caller).unknown(module(server) + "." + tool);
    }

    public Listed listed(Caller caller, ToolSpec spec) {
        var origin = spec.effectiveOrigin();
        var outlook = broker.outlook(caller, spec);
        return new Listed(
                origin.qualifiedName(),
                origin.id(),
                origin.tool(),
                spec.title(),
                ToolSignature.of(spec),
                FoundTool.start(spec.description()),
                origin.effect(),
                outlook.verdict(),
                outlook.dependsOn(),
                broker.trouble(caller, spec),
                tokens(spec),
                learned.drifted(origin).map(Instant::toString));
    }

    /// @param format of its stub: python, typescript or schema
    /// @throws Refusal INVALID_ARGUMENT for another format
    public Described described(Caller caller, ToolSpec spec, String format) {
        var origin = spec.effectiveOrigin();
        var outlook = broker.outlook(caller, spec);
        return new Described(
                /* tool= */ origin.qualifiedName(),
                origin.id(),
                origin.tool(),
                spec.title(),
                spec.description(),
                origin.effect(),
                outlook.verdict(),
                outlook.rule(),
                outlook.dependsOn(),
                broker.trouble(caller, spec),
                tokens(spec),
                format(format).of(spec, learned.of(origin)),
                spec.inputSchema(),
                spec.outputSchema().map(schema -> (JsonNode) schema),
                format(format).example(spec),
                learned.of(origin).map(Shapes::sentence),
                learned.drifted(origin).map(Instant::toString));
    }

    /// The module of a server, by its id or its module.
    public String module(String server) {
        return Identifiers.module(server);
    }

    /// What a text takes in a context.
    public int tokens(String text) {
        return Tokens.count(text);
    }

    private static ToolStub format(String word) {
        return Arrays.stream(ToolStub.values())
                .filter(format -> format.name().equals(word.toUpperCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() ->
                        new Refusal(
                                Reason.INVALID_ARGUMENT,
                                "format may be python, typescript or schema.",
                                Map.of("parameter", "format")));
    }

    /// What its definition takes in a context that holds it.
    private int tokens(ToolSpec spec) {
        var known = known(spec);
        if (known.isPresent()) {
            return known.get();
        }
        var whole = Json.object().put("name", spec.name()).put("description", spec.description());
        whole.set("inputSchema", spec.inputSchema());
        int tokens = Tokens.count(Json.text(whole));
        synchronized (counted) {
            counted.put(spec.name(), new Counted(spec, tokens));
            if (counted.size() > COUNTED_MAX) {
                counted.remove(counted.keySet().iterator().next());
            }
        }
        return tokens;
    }

    private Optional<Integer> known(ToolSpec spec) {
        synchronized (counted) {
            return Optional.ofNullable(counted.get(spec.name()))
                    .filter(one -> one.spec().equals(spec))
                    .map(Counted::tokens);
        }
    }
}

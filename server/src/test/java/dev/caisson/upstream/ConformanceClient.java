package dev.caisson.upstream;

import dev.caisson.call.Call;
import dev.caisson.call.Caller;
import dev.caisson.call.Conversation;
import dev.caisson.call.Deadline;
import dev.caisson.call.Door;
import dev.caisson.call.Question;
import dev.caisson.call.ReplyMode;
import dev.caisson.call.TraceContext;
import dev.caisson.egress.OutgoingHttp;
import dev.caisson.json.Json;
import dev.caisson.upstream.connection.CallOptions;
import dev.caisson.upstream.connection.StdioProcess;
import dev.caisson.upstream.connection.UpstreamFailure;
import java.net.URI;
import java.nio.file.Files;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Connects to a server as to any upstream, lists its tools and calls those that are sound: the
/// client that the official conformance suite examines. What to call it with is the suite's word
/// where it has one (`MCP_CONFORMANCE_CONTEXT`), else a value of each type. Whoever is asked there
/// accepts every form as it is.
///
/// `ConformanceClient URL`
public final class ConformanceClient {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final Conversation ACCEPTING =
            new Conversation() {
                @Override
                public Map<String, JsonNode> ask(Map<String, Question> questions) {
                    var answers = new LinkedHashMap<String, JsonNode>();
                    questions
                            .keySet()
                            .forEach(
                                    key -> answers.put(key, Json.object().put("action", "accept")));
                    return answers;
                }
            };

    private final UpstreamSettings settings;
    private final UpstreamLink link;
    private final List<ObjectNode> tools;

    private ConformanceClient(UpstreamSettings settings, UpstreamLink link)
            throws InterruptedException, UpstreamFailure {
        this.settings = settings;
        this.link = link;
        this.tools =
                link.listTools(Deadline.in(PATIENCE)).stream()
                        .filter(tool -> DefinitionScreen.refusal(tool).isEmpty())
                        .toList();
    }

    public static void main(String[] arguments) throws Exception {
        var address = URI.create(arguments[0]);
        var scenario = Optional.ofNullable(System.getenv("MCP_CONFORMANCE_SCENARIO")).orElse("");
        var context =
                Optional.ofNullable(System.getenv("MCP_CONFORMANCE_CONTEXT")).map(Json::parse);
        var entry =
                Json.object().put("url", arguments[0]).put("trust", "trusted").put("elicit", true);
        try (var http = new OutgoingHttp(Set.of("localhost", "127.0.0.1"))) {
            var tokens =
                    new ConformanceTokens(
                            http,
                            Files.createTempDirectory("conformance-"),
                            context.orElse(Json.object()));
            if (scenario.startsWith("auth/")) {
                entry.set("credentials", tokens.entry(scenario, address));
            }
            var settings = UpstreamReader.read("suite", entry);
            var credentials = new CredentialValues(settings, tokens::secret);
            try (var link =
                    new ConnectionLinks(
                                    http,
                                    ConformanceClient::noProcess,
                                    128L << 20,
                                    Optional.of(tokens.clients))
                            .open(settings, credentials, Optional.empty(), () -> {})) {
                agreeing(settings, link, context, () -> tokens.agree(settings, credentials));
            }
        }
    }

    @FunctionalInterface
    private interface Person {
        void agree() throws Exception;
    }

    /// A person agrees as often as somebody asks; how often that may be is for the client to know.
    private static void agreeing(
            UpstreamSettings settings, UpstreamLink link, Optional<JsonNode> context, Person person)
            throws Exception {
        while (true) {
            try {
                var client = new ConformanceClient(settings, link);
                var wanted = context.map(said -> said.path("toolCalls")).filter(JsonNode::isArray);
                if (wanted.isEmpty()) {
                    client.callAll();
                } else {
                    client.call(wanted.get());
                }
                return;
            } catch (UpstreamFailure failure) {
                if (failure.visit().isEmpty()) {
                    throw failure;
                }
                person.agree();
            }
        }
    }

    private static StdioProcess noProcess(
            ConnectionLinks.Place place, Peer.Command command, Map<String, String> env) {
        throw new IllegalStateException("the suite serves over HTTP");
    }

    private void callAll() throws InterruptedException, UpstreamFailure {
        for (var tool : tools) {
            var arguments = Json.object();
            tool.at("/inputSchema/properties")
                    .forEachEntry((name, schema) -> arguments.set(name, sample(schema)));
            call(tool, arguments);
        }
    }

    private void call(JsonNode wanted) throws InterruptedException, UpstreamFailure {
        for (var each : wanted) {
            for (var tool : tools) {
                if (tool.path("name").equals(each.path("name"))) {
                    call(tool, (ObjectNode) each.path("arguments"));
                }
            }
        }
    }

    private void call(ObjectNode tool, ObjectNode arguments)
            throws InterruptedException, UpstreamFailure {
        var options =
                CallOptions.reading(Deadline.in(PATIENCE))
                        .withSchema((ObjectNode) tool.path("inputSchema"))
                        .answeredBy(
                                new CallForms(
                                        Call.of(
                                                Caller.LOCAL,
                                                Door.MCP,
                                                TraceContext.fresh(),
                                                ReplyMode.INLINE,
                                                ACCEPTING),
                                        settings,
                                        new CredentialValues(settings, name -> name),
                                        false));
        var result = link.callTool("suite", tool.path("name").stringValue(), arguments, options);
        System.out.println(Json.text(result.result()));
    }

    /// An object is the first schema that was received, as a scenario wants it back.
    private JsonNode sample(JsonNode schema) {
        return switch (schema.path("type").stringValue("")) {
            case "number", "integer" -> Json.parse("2");
            case "boolean" -> Json.parse("true");
            case "object" -> tools.getFirst().path("inputSchema");
            default -> Json.parse("\"text\"");
        };
    }
}

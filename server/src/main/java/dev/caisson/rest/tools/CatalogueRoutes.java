package dev.caisson.rest.tools;

import static dev.caisson.call.Scope.ADMIN;
import static dev.caisson.call.Scope.TOOLS;

import dev.caisson.broker.NormalResult;
import dev.caisson.broker.ToolLookup;
import dev.caisson.broker.ToolResult;
import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.ToolErrorType;
import dev.caisson.json.Describe;
import dev.caisson.json.Json;
import dev.caisson.json.MaxBytes;
import dev.caisson.json.Records;
import dev.caisson.rest.route.Paging;
import dev.caisson.rest.route.Parameter;
import dev.caisson.rest.route.Response;
import dev.caisson.rest.route.Route;
import dev.caisson.rest.route.RouteRequest;
import dev.caisson.rest.runs.ToolDoor;
import dev.caisson.tools.ToolCatalogue;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Routes of the catalogue: the tools that a key finds, the search a model gets, one tool by
/// itself, and a call of it.
public final class CatalogueRoutes {
    static final int ARGUMENTS_BYTES_MAX = 1 << 20;

    private final ToolDoor door;
    private final ToolCatalogue catalogue;

    public CatalogueRoutes(ToolDoor door, ToolCatalogue catalogue) {
        this.door = door;
        this.catalogue = catalogue;
    }

    record ToolList(
            @Describe("The best first with q, otherwise in the order of their names.")
                    List<ToolCatalogue.Listed> tools,
            @Describe("How many there are on all pages, or have a word of q.") int total,
            @Describe("With q: whether there are some that a model is not shown.") boolean more,
            Optional<String> nextCursor,
            @Describe("Of the answer a model gets to q; null without q.")
                    Optional<Integer> searchTokens) {}

    record ToolArguments(
            @Describe("Up to 1 MiB.") @MaxBytes(ARGUMENTS_BYTES_MAX)
                    Optional<ObjectNode> arguments) {}

    record ToolFailure(String type, String message, boolean retryable) {}

    record ToolFile(String path, String mimeType, @Describe("Base64.") String data) {
        static ToolFile of(NormalResult.BinaryFile file) {
            return new ToolFile(file.path(), file.mimeType(), file.data());
        }
    }

    record ToolAnswer(
            @Describe("Whether the tool did what it was asked.") boolean ok,
            @Describe("What it gave; null when it failed.") Optional<JsonNode> data,
            Optional<ToolFailure> error,
            List<String> warnings,
            @Describe("Binary content, which data names by its path.") List<ToolFile> files) {
        static ToolAnswer of(ToolResult result) {
            var normal = NormalResult.of(result);
            return new ToolAnswer(
                    normal.failure().isEmpty(),
                    Optional.of(normal.data()),
                    normal.failure().map(CatalogueRoutes::failed),
                    normal.warnings(),
                    normal.files().stream().map(ToolFile::of).toList());
        }
    }

    private static ToolFailure failed(String message) {
        var type = ToolErrorType.TOOL_FAILED;
        return new ToolFailure(type.word(), message, type.retryable());
    }

    public List<Route> routes() {
        return List.of(
                Route.get("/v1/tools")
                        .named(
                                "listTools",
                                "Tools of this server and of others that this key finds")
                        .needing(TOOLS, ADMIN)
                        .with(
                                Parameter.query(
                                        "q", "Search as a model does, in words of a purpose"),
                                Parameter.query("server", "Only those of this server"),
                                Paging.limit(),
                                Paging.cursor())
                        .giving(ToolList.class)
                        .by(this::list),
                Route.get("/v1/tools/{server}/{tool}")
                        .named("describeTool", "One tool with its schemas and its stub")
                        .needing(TOOLS, ADMIN)
                        .with(
                                Parameter.query(
                                        "format", "Of the stub: python, typescript or schema"))
                        .giving(ToolCatalogue.Described.class)
                        .by(this::describe),
                Route.post("/v1/tools/{server}/{tool}/call")
                        .named("callTool", "Call a tool of this server or of another")
                        .needing(TOOLS)
                        .taking(ToolArguments.class)
                        .giving(ToolAnswer.class)
                        .refusing(202, 408, 409, 502)
                        .by(this::call));
    }

    private Response list(RouteRequest ask) throws InterruptedException {
        var query = ask.query("q");
        return Response.ok(Records.tree(query.isPresent() ? found(ask, query.get()) : all(ask)));
    }

    private ToolList all(RouteRequest ask) {
        var all = catalogue.of(ask.caller(), ask.query("server"));
        var byName = byName(all);
        var page = Paging.of(ask, all.stream().map(ToolSpec::qualifiedName).toList());
        return new ToolList(
                page.names().stream().map(name -> listed(ask, byName, name)).toList(),
                all.size(),
                page.next().isPresent(),
                page.next(),
                Optional.empty());
    }

    /// Through the tool that models search with.
    private ToolList found(RouteRequest ask, String query) throws InterruptedException {
        var arguments = Json.object().put("query", query);
        if (ask.query("limit").isPresent()) {
            arguments.put("limit", Paging.limit(ask));
        }
        ask.query("server").ifPresent(server -> arguments.put("server", catalogue.module(server)));
        var answer = door.call(ask, "tool_search", arguments);
        var byName = byName(catalogue.of(ask.caller(), Optional.empty()));
        var tools =
                answer.path("tools")
                        .valueStream()
                        .map(tool -> tool.path("tool").stringValue())
                        .filter(byName::containsKey)
                        .map(name -> listed(ask, byName, name))
                        .toList();
        return new ToolList(
                tools,
                answer.path("total").intValue(),
                answer.path("more").booleanValue(),
                Optional.empty(),
                Optional.of(catalogue.tokens(Json.text(answer))));
    }

    private static Map<String, ToolSpec> byName(List<ToolSpec> tools) {
        return tools.stream()
                .collect(
                        Collectors.toMap(
                                ToolSpec::qualifiedName, Function.identity(), (one, _) -> one));
    }

    private ToolCatalogue.Listed listed(
            RouteRequest ask, Map<String, ToolSpec> byName, String name) {
        return catalogue.listed(ask.caller(), Optional.ofNullable(byName.get(name)).orElseThrow());
    }

    private Response describe(RouteRequest ask) {
        var spec =
                catalogue
                        .find(ask.caller(), ask.place("server"), ask.place("tool"))
                        .orElseThrow(() -> unknown(ask));
        return Response.ok(
                Records.tree(
                        catalogue.described(
                                ask.caller(), spec, ask.query("format").orElse("python"))));
    }

    private Response call(RouteRequest ask) throws InterruptedException {
        var arguments = ask.body(ToolArguments.class).arguments().orElseGet(Json::object);
        if (Json.bytes(arguments).length > ARGUMENTS_BYTES_MAX) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "arguments may take " + ARGUMENTS_BYTES_MAX + " bytes at most.",
                    Map.of("parameter", "arguments"));
        }
        return Response.ok(Records.tree(ToolAnswer.of(result(ask, arguments))));
    }

    /// A call of a tool that is none is recorded like every other.
    private ToolResult result(RouteRequest ask, ObjectNode arguments) throws InterruptedException {
        try {
            return door.result(ask, tool(ask), arguments);
        } catch (Refusal refusal) {
            throw refusal.reason() == Reason.UNKNOWN_TOOL ? unknown(ask) : refusal;
        }
    }

    /// Also one that is not found, because it waits for a review.
    private ToolLookup tool(RouteRequest ask) {
        var broker = door.broker();
        return catalogue
                .find(ask.caller(), ask.place("server"), ask.place("tool"))
                .map(spec -> broker.find(ask.caller(), spec.name()))
                .orElseGet(() ->
                        broker.findOrigin(
                                ask.caller(),
                                catalogue.module(ask.place("server")),
                                ask.place("tool")));
    }

    private Refusal unknown(RouteRequest ask) {
        return Refusal.of(
                ToolErrorType.UNKNOWN_TOOL,
                Reason.UNKNOWN_TOOL,
                catalogue.unknown(ask.caller(), ask.place("server"), ask.place("tool")));
    }
}

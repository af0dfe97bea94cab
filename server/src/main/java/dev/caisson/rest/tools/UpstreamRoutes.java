package dev.caisson.rest.tools;

import static dev.caisson.call.Scope.ADMIN;

import dev.caisson.actions.UpstreamActions;
import dev.caisson.broker.ToolEffect;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.DefaultsTo;
import dev.caisson.json.Describe;
import dev.caisson.json.Inline;
import dev.caisson.json.Length;
import dev.caisson.json.Matches;
import dev.caisson.json.Records;
import dev.caisson.rest.route.Paging;
import dev.caisson.rest.route.Parameter;
import dev.caisson.rest.route.Reply;
import dev.caisson.rest.route.Response;
import dev.caisson.rest.route.Route;
import dev.caisson.rest.route.RouteRequest;
import dev.caisson.rest.runs.RestConversation;
import dev.caisson.rest.tools.UpstreamAnswers.DecidedTool;
import dev.caisson.rest.tools.UpstreamAnswers.DecidedTools;
import dev.caisson.rest.tools.UpstreamAnswers.Upstream;
import dev.caisson.rest.tools.UpstreamAnswers.UpstreamList;
import dev.caisson.rest.tools.UpstreamAnswers.UpstreamSummary;
import dev.caisson.rest.tools.UpstreamAnswers.UpstreamTool;
import dev.caisson.rest.tools.UpstreamAnswers.UpstreamToolList;
import dev.caisson.upstream.ReviewedTool;
import dev.caisson.upstream.ToolState;
import dev.caisson.upstream.UpstreamBody;
import dev.caisson.upstream.UpstreamDirectory;
import dev.caisson.upstream.UpstreamView;
import dev.caisson.upstream.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/// Routes of upstreams: list, add, replace, remove, list their tools, decide on them.
public final class UpstreamRoutes {
    /// A page of tools ends before their definitions take more characters.
    static final int PAGE_CHARACTERS_MAX = 2 << 20;

    private final UpstreamActions actions;

    public UpstreamRoutes(UpstreamActions actions) {
        this.actions = actions;
    }

    record NewUpstream(
            @Describe("Stable for ever: programs name it.") @Length(min = 1, max = 40) String id,
            @Describe(
                            "With review first: whether the first list of its tools is taken as it is."
                                    + " Otherwise every tool waits for a decision.")
                    @DefaultsTo("false")
                    boolean approve,
            @Inline UpstreamBody entry) {}

    record UpstreamEntry(
            @Describe("With review first: whether the next list of its tools is taken as it is.")
                    @DefaultsTo("false")
                    boolean approve,
            @Inline UpstreamBody entry) {}

    record ReviewBody(
            Verdict.Choice decision,
            @Describe("What its calls may do; as the upstream or its entry says if absent.")
                    Optional<ToolEffect> effect,
            @Describe("Of the definition you saw; another one is not decided on.")
                    @Matches("^[0-9a-f]{64}$")
                    Optional<String> hash) {}

    record SeenTool(
            @Length(min = 1, max = 200) String name,
            @Describe("Of the definition you saw; another one is not decided on.")
                    @Matches("^[0-9a-f]{64}$")
                    Optional<String> hash) {}

    record ReviewAllBody(
            Verdict.Choice decision,
            @Describe("What their calls may do; as the upstream or its entry says if absent.")
                    Optional<ToolEffect> effect,
            @Length(min = 1, max = 2000) List<SeenTool> tools) {}

    public List<Route> routes() {
        return List.of(
                Route.get("/v1/upstreams")
                        .named("listUpstreams", "Other MCP servers whose tools are called here")
                        .needing(ADMIN)
                        .giving(UpstreamList.class)
                        .by(_ -> list()),
                Route.post("/v1/upstreams")
                        .named("addUpstream", "Add an upstream and list its tools")
                        .needing(ADMIN)
                        .taking(NewUpstream.class)
                        .giving(201, Upstream.class)
                        .refusing(409)
                        .by(this::add),
                Route.get("/v1/upstreams/{id}")
                        .named("getUpstream", "One upstream with its entry")
                        .needing(ADMIN)
                        .giving(Upstream.class)
                        .by(ask -> shown(upstreams().find(ask.place("id")))),
                Route.put("/v1/upstreams/{id}")
                        .named(
                                "setUpstream",
                                "Store an upstream, in place of the one of that id, and list its"
                                        + " tools. One with another address or command has tools of its"
                                        + " own: what was approved before does not count")
                        .needing(ADMIN)
                        .taking(UpstreamEntry.class)
                        .giving(Upstream.class)
                        .by(this::put),
                Route.delete("/v1/upstreams/{id}")
                        .named(
                                "removeUpstream",
                                "Remove an upstream with all decisions on its tools")
                        .needing(ADMIN)
                        .giving(Reply.empty(204))
                        .by(this::remove),
                Route.post("/v1/upstreams/{id}/refresh")
                        .named("refreshUpstream", "List the tools of an upstream now")
                        .needing(ADMIN)
                        .giving(Upstream.class)
                        .by(ask ->
                                shown(
                                        actions.refresh(
                                                RestConversation.inline(ask), ask.place("id")))),
                Route.post("/v1/upstreams/{id}/restart")
                        .named(
                                "restartUpstream",
                                "End the connection of an upstream, forget its failures and connect"
                                        + " again")
                        .needing(ADMIN)
                        .giving(Upstream.class)
                        .by(ask ->
                                shown(
                                        actions.restart(
                                                RestConversation.inline(ask), ask.place("id")))),
                Route.get("/v1/upstreams/{id}/tools")
                        .named(
                                "listUpstreamTools",
                                "Tools of an upstream with their definitions and what was decided on"
                                        + " them")
                        .needing(ADMIN)
                        .with(
                                Parameter.query(
                                        "state",
                                        "Only those that are approved, new, changed, removed or"
                                                + " refused"),
                                Paging.limit(),
                                Paging.cursor())
                        .giving(UpstreamToolList.class)
                        .by(this::tools),
                Route.post("/v1/upstreams/{id}/tools/{name}/review")
                        .named("reviewUpstreamTool", "Decide on a tool of an upstream")
                        .needing(ADMIN)
                        .taking(ReviewBody.class)
                        .giving(UpstreamTool.class)
                        .refusing(409)
                        .by(this::review),
                Route.post("/v1/upstreams/{id}/review")
                        .named(
                                "reviewUpstreamTools",
                                "Decide on several tools of an upstream: on all of them, or on none")
                        .needing(ADMIN)
                        .taking(ReviewAllBody.class)
                        .giving(DecidedTools.class)
                        .refusing(409)
                        .by(this::reviewAll));
    }

    private UpstreamDirectory upstreams() {
        return actions.upstreams();
    }

    private static Response shown(UpstreamView view) {
        return Response.ok(Records.tree(Upstream.of(view)));
    }

    private Response list() {
        var all = upstreams().list().stream().map(UpstreamSummary::of).toList();
        return Response.ok(Records.tree(new UpstreamList(all, actions.takesCommands())));
    }

    private Response add(RouteRequest ask) throws InterruptedException {
        var made =
                actions.add(
                        RestConversation.inline(ask),
                        ask.body().path("id").stringValue(),
                        entry(ask.body()),
                        approves(ask.body()));
        return Response.json(201, Records.tree(Upstream.of(made)));
    }

    private Response put(RouteRequest ask) throws InterruptedException {
        return shown(
                actions.put(
                        RestConversation.inline(ask),
                        ask.place("id"),
                        entry(ask.body()),
                        approves(ask.body())));
    }

    private static boolean approves(ObjectNode body) {
        return body.path("approve").asBoolean(false);
    }

    /// The body without what is said beside the entry.
    private static ObjectNode entry(ObjectNode body) {
        var entry = body.deepCopy();
        entry.remove(List.of("id", "approve"));
        return entry;
    }

    private Response remove(RouteRequest ask) throws InterruptedException {
        actions.remove(RestConversation.inline(ask), ask.place("id"));
        return Response.empty(204);
    }

    private Response tools(RouteRequest ask) {
        var settings = upstreams().find(ask.place("id")).settings();
        var state = ask.query("state").map(UpstreamRoutes::state);
        var byName =
                upstreams().toolsOf(settings.id()).stream()
                        .filter(tool -> state.map(tool.state()::equals).orElse(true))
                        .collect(Collectors.toMap(ReviewedTool::name, Function.identity()));
        var page = Paging.of(ask, byName.keySet().stream().sorted().toList());
        var shown = new ArrayList<UpstreamTool>();
        long characters = 0;
        for (var name : page.names()) {
            var tool = Objects.requireNonNull(byName.get(name));
            characters += tool.characters();
            if (!shown.isEmpty() && characters > PAGE_CHARACTERS_MAX) {
                break;
            }
            shown.add(UpstreamTool.of(settings, tool));
        }
        var next =
                shown.size() < page.names().size()
                        ? Optional.of(shown.getLast().name())
                        : page.next();
        return Response.ok(Records.tree(new UpstreamToolList(shown, next)));
    }

    private static ToolState state(String word) {
        return Arrays.stream(ToolState.values())
                .filter(state -> state.word().equals(word))
                .findFirst()
                .orElseThrow(() ->
                        new Refusal(
                                Reason.INVALID_ARGUMENT,
                                "state may be approved, new, changed, removed or refused.",
                                Map.of("parameter", "state")));
    }

    private Response review(RouteRequest ask) throws InterruptedException {
        var body = ask.body(ReviewBody.class);
        var id = ask.place("id");
        var decided =
                actions.review(
                        RestConversation.inline(ask),
                        id,
                        Map.of(
                                ask.place("name"),
                                new Verdict(body.decision(), body.hash(), body.effect())));
        return Response.ok(
                Records.tree(UpstreamTool.of(upstreams().find(id).settings(), decided.getFirst())));
    }

    private Response reviewAll(RouteRequest ask) throws InterruptedException {
        var body = ask.body(ReviewAllBody.class);
        var verdicts = new LinkedHashMap<String, Verdict>();
        for (var tool : body.tools()) {
            verdicts.put(tool.name(), new Verdict(body.decision(), tool.hash(), body.effect()));
        }
        var decided = actions.review(RestConversation.inline(ask), ask.place("id"), verdicts);
        return Response.ok(
                Records.tree(new DecidedTools(decided.stream().map(DecidedTool::of).toList())));
    }
}

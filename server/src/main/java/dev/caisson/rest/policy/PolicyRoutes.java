package dev.caisson.rest.policy;

import static dev.caisson.call.Scope.ADMIN;

import dev.caisson.actions.PolicyActions;
import dev.caisson.actions.PolicyActions.Question;
import dev.caisson.call.Door;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Describe;
import dev.caisson.json.Json;
import dev.caisson.json.Length;
import dev.caisson.json.MaxBytes;
import dev.caisson.json.Range;
import dev.caisson.json.Records;
import dev.caisson.policy.Decision;
import dev.caisson.policy.HistoryWalk;
import dev.caisson.policy.PolicyAnswers.CallExplained;
import dev.caisson.policy.PolicyAnswers.PolicyRule;
import dev.caisson.policy.PolicyAnswers.PolicyRuleList;
import dev.caisson.policy.PolicyAnswers.PolicySuggestion;
import dev.caisson.policy.PolicyAnswers.PolicyTest;
import dev.caisson.policy.PolicyFile;
import dev.caisson.policy.Replaced;
import dev.caisson.policy.Rule;
import dev.caisson.policy.RuleBody.BudgetBody;
import dev.caisson.policy.RuleBody.WhenBody;
import dev.caisson.policy.RuleMistakes;
import dev.caisson.rest.route.Paging;
import dev.caisson.rest.route.Parameter;
import dev.caisson.rest.route.Reply;
import dev.caisson.rest.route.Response;
import dev.caisson.rest.route.Route;
import dev.caisson.rest.route.RouteRequest;
import dev.caisson.rest.runs.DisconnectWatch;
import dev.caisson.rest.runs.RestConversation;
import dev.caisson.share.Workers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Routes of the policy: its rules, what becomes of a call, what other rules would change.
public final class PolicyRoutes {
    /// A page of rules ends before they take more bytes.
    static final int PAGE_BYTES_MAX = 1 << 20;

    static final int ARGUMENTS_BYTES_MAX = 1 << 20;

    private static final Parameter.Bounds DAYS = new Parameter.Bounds(1, HistoryWalk.DAYS_MAX, 30);

    private final PolicyActions actions;
    private final Workers workers;

    public PolicyRoutes(PolicyActions actions, Workers workers) {
        this.actions = actions;
        this.workers = workers;
    }

    record RuleEntry(
            @Describe("Which calls it decides: those that every member matches. All if absent.")
                    Optional<WhenBody> when,
            @Describe("What becomes of them.") Decision decide,
            @Describe("Why, as callers are told.") @Length(min = 1, max = 500)
                    Optional<String> reason,
            @Describe("How long an approval may be waited for, such as 1h; with ask.")
                    @Length(max = 20)
                    Optional<String> expires,
            @Describe("Calls of each key, such as 30/m; m, h and d are minutes, hours and days.")
                    @Length(max = 20)
                    Optional<String> rate,
            @Describe("What each key may use.") Optional<BudgetBody> budget,
            @Describe(
                            "Its place among the stored rules, from 1. A new rule comes last, and"
                                    + " another stays where it is.")
                    @Range(min = 1, max = PolicyFile.RULES_MAX)
                    Optional<Integer> position) {}

    record ExplainBody(
            @Describe("The name or the id of a key; your own if absent. Others need admin.")
                    @Length(min = 1, max = 200)
                    Optional<String> key,
            @Describe("The tool, such as github/create_issue or caisson/sandbox_execute.")
                    @Length(min = 3, max = 310)
                    String call,
            @Describe("Unknown if absent: then rules that need them may or may not match.")
                    @MaxBytes(ARGUMENTS_BYTES_MAX)
                    Optional<ObjectNode> arguments,
            @Describe("Where the call comes in; unknown if absent.") Optional<Door> door) {}

    record TestBody(
            @Describe("Rules to try. Give these or file.")
                    @Length(max = PolicyFile.RULES_MAX)
                    @MaxBytes(PolicyFile.BYTES_MAX)
                    Optional<List<ObjectNode>> rules,
            @Describe("The same as the text of a file of rules, in YAML or JSON.")
                    @Length(max = PolicyFile.BYTES_MAX)
                    Optional<String> file,
            @Describe("Which rules they stand in the place of; those of the file if absent.")
                    Optional<Replaced> inPlaceOf,
            @Describe("How far back calls are looked at; 30 if absent.")
                    @Range(min = 1, max = HistoryWalk.DAYS_MAX)
                    Optional<Integer> days) {}

    public List<Route> routes() {
        return List.of(
                Route.get("/v1/policy")
                        .named("listPolicy", "The rules that decide about calls of tools")
                        .needing(ADMIN)
                        .with(Paging.limit(), Paging.cursor())
                        .giving(PolicyRuleList.class)
                        .by(this::list),
                Route.put("/v1/policy/rules/{name}")
                        .named("setPolicyRule", "Store a rule, in place of the one of that name")
                        .needing(ADMIN)
                        .taking(RuleEntry.class)
                        .giving(PolicyRule.class)
                        .refusing(409)
                        .by(this::put),
                Route.delete("/v1/policy/rules/{name}")
                        .named("removePolicyRule", "Remove a stored rule")
                        .needing(ADMIN)
                        .giving(Reply.empty(204))
                        .by(this::remove),
                Route.post("/v1/policy/explain")
                        .named("explainPolicy", "What becomes of a call, and by which rule")
                        .taking(ExplainBody.class)
                        .giving(CallExplained.class)
                        .by(this::explain),
                Route.post("/v1/policy/test")
                        .named(
                                "testPolicy",
                                "Judge recorded calls by other rules and list what would change")
                        .needing(ADMIN)
                        .taking(TestBody.class)
                        .giving(PolicyTest.class)
                        .by(this::test),
                Route.get("/v1/policy/suggestion")
                        .named(
                                "suggestPolicy",
                                "The smallest list of rules that allows what was used")
                        .needing(ADMIN)
                        .with(
                                Parameter.number("days", "How far back calls are looked at", DAYS),
                                Parameter.flag("refused", "Also calls that were refused"))
                        .giving(PolicySuggestion.class)
                        .by(this::suggest));
    }

    private Response list(RouteRequest ask) throws InterruptedException {
        var standing = actions.list(RestConversation.inline(ask));
        var all = standing.rules();
        var places = IntStream.range(0, all.size()).mapToObj("%04d"::formatted).toList();
        var page = Paging.of(ask, places);
        var shown = new ArrayList<PolicyRule>();
        long bytes = 0;
        var next = page.next();
        for (var place : page.names()) {
            var rule = PolicyRule.of(all.get(Integer.parseInt(place)));
            bytes += Json.bytes(Records.tree(rule)).length;
            if (!shown.isEmpty() && bytes > PAGE_BYTES_MAX) {
                next = Optional.of(places.get(Integer.parseInt(place) - 1));
                break;
            }
            shown.add(rule);
        }
        return Response.ok(
                Records.tree(
                        new PolicyRuleList(standing.version(), shown, standing.problems(), next)));
    }

    private Response put(RouteRequest ask) throws InterruptedException {
        var rule = ask.body().deepCopy();
        rule.remove("position");
        var position = ask.body(RuleEntry.class).position();
        var stored =
                actions.put(
                        RestConversation.inline(ask),
                        ask.place("name"),
                        rule,
                        position.map(OptionalInt::of).orElseGet(OptionalInt::empty));
        return Response.ok(Records.tree(PolicyRule.of(stored)));
    }

    private Response remove(RouteRequest ask) throws InterruptedException {
        actions.remove(RestConversation.inline(ask), ask.place("name"));
        return Response.empty(204);
    }

    private Response explain(RouteRequest ask) throws InterruptedException {
        var body = ask.body(ExplainBody.class);
        body.arguments().ifPresent(given -> requireFits("arguments", given, ARGUMENTS_BYTES_MAX));
        var explained =
                actions.explain(
                        RestConversation.inline(ask),
                        new Question(body.key(), body.call(), body.arguments(), body.door()));
        return Response.ok(Records.tree(CallExplained.of(explained)));
    }

    private Response test(RouteRequest ask) throws InterruptedException {
        var body = ask.body(TestBody.class);
        var report =
                DisconnectWatch.whileHere(
                        ask.exchange(),
                        () ->
                                actions.test(
                                        RestConversation.inline(ask),
                                        () -> rules(body),
                                        body.inPlaceOf().orElse(Replaced.FILE),
                                        body.days().orElse((int) DAYS.preset()),
                                        next ->
                                                workers.runAll(
                                                        ask.caller().id(), next::getAsBoolean)));
        return Response.ok(Records.tree(PolicyTest.of(report)));
    }

    private static List<Rule> rules(TestBody body) {
        if (body.rules().isPresent() == body.file().isPresent()) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "Give the rules to try as rules, a list, or as file, the text of a file; one of them.",
                    Map.of("parameter", "rules"));
        }
        try {
            if (body.file().isPresent()) {
                return PolicyFile.parse(body.file().get());
            }
            var list = Json.array();
            body.rules().get().forEach(list::add);
            requireFits("rules", list, PolicyFile.BYTES_MAX);
            return PolicyFile.parse(list);
        } catch (RuleMistakes wrong) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "The rules cannot be used. " + wrong.sentences(),
                    Map.of("complaints", wrong.each()));
        }
    }

    private static void requireFits(String member, JsonNode given, int bytesMax) {
        if (Json.bytes(given).length > bytesMax) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "%s may take %d bytes at most.".formatted(member, bytesMax),
                    Map.of("parameter", member));
        }
    }

    private Response suggest(RouteRequest ask) throws InterruptedException {
        var suggestion =
                DisconnectWatch.whileHere(
                        ask.exchange(),
                        () ->
                                actions.suggest(
                                        RestConversation.inline(ask),
                                        (int) ask.number("days", DAYS),
                                        ask.flag("refused"),
                                        next ->
                                                workers.runAll(
                                                        ask.caller().id(), next::getAsBoolean)));
        return Response.ok(Records.tree(PolicySuggestion.of(suggestion)));
    }
}

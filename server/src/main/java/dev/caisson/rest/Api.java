package dev.caisson.rest;

import static dev.caisson.call.Scope.ADMIN;
import static dev.caisson.call.Scope.AUDIT;
import static dev.caisson.call.Scope.RUN;

import dev.caisson.actions.Actions;
import dev.caisson.broker.ActionRequest;
import dev.caisson.call.BoundedClose;
import dev.caisson.identity.KeyDirectory;
import dev.caisson.json.Json;
import dev.caisson.json.Records;
import dev.caisson.ledger.UnknownCalls;
import dev.caisson.rest.files.FileEventStream;
import dev.caisson.rest.files.FileRoutes;
import dev.caisson.rest.files.ThreadRoutes;
import dev.caisson.rest.files.VolumeRoutes;
import dev.caisson.rest.policy.ApprovalRoutes;
import dev.caisson.rest.policy.PolicyRoutes;
import dev.caisson.rest.route.BodyShape;
import dev.caisson.rest.route.JsonBody;
import dev.caisson.rest.route.OpenApi;
import dev.caisson.rest.route.Paging;
import dev.caisson.rest.route.Parameter;
import dev.caisson.rest.route.Reply;
import dev.caisson.rest.route.Response;
import dev.caisson.rest.route.Route;
import dev.caisson.rest.route.RouteRequest;
import dev.caisson.rest.route.RouteTable;
import dev.caisson.rest.route.RouteTools;
import dev.caisson.rest.runs.AcceptedRun;
import dev.caisson.rest.runs.AttemptRoutes;
import dev.caisson.rest.runs.CallRoutes;
import dev.caisson.rest.runs.DetachedCalls;
import dev.caisson.rest.runs.ExecuteRoutes;
import dev.caisson.rest.runs.ExecutionDetail;
import dev.caisson.rest.runs.ExecutionRoutes;
import dev.caisson.rest.runs.Idempotency;
import dev.caisson.rest.runs.OutputRoutes;
import dev.caisson.rest.runs.RepeatedRequest;
import dev.caisson.rest.runs.RestConversation;
import dev.caisson.rest.runs.ResultValue;
import dev.caisson.rest.runs.RunFormat;
import dev.caisson.rest.runs.RunOrder;
import dev.caisson.rest.runs.RunStream;
import dev.caisson.rest.runs.ToolCallRoutes;
import dev.caisson.rest.runs.ToolDoor;
import dev.caisson.rest.runs.WebhookNotification;
import dev.caisson.rest.tools.CatalogueRoutes;
import dev.caisson.rest.tools.ConnectRoutes;
import dev.caisson.rest.tools.UpstreamRoutes;
import dev.caisson.share.Workers;
import dev.caisson.storage.ArchiveLimits;
import dev.caisson.storage.FileService;
import dev.caisson.webhooks.Webhooks;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// List of all routes of the REST API.
public final class Api implements BoundedClose {
    private final ToolDoor tools;
    private final RestServer.Refusals refusals;
    private final ServerFacts facts;
    private final DetachedCalls attempts;
    private final Idempotency idempotency;
    private final Webhooks webhooks;
    private final ExecuteRoutes execute;
    private final FileService desk;
    private final Actions actions;
    private final ArchiveLimits archives;
    private final FileEventStream following;
    private final Workers workers;
    private final ExecutionRoutes executions;
    private final OutputRoutes output;
    private final ResultValue resultValue;
    private final ToolCallRoutes toolCalls;
    private final CallRoutes calls;
    private final AttemptRoutes retries;
    private final KeyDirectory directory;
    private final KeyRoutes keys;
    private final ProfileRoutes profiles;
    private final SecretRoutes secrets;
    private final UpstreamRoutes upstreams;
    private final ConnectRoutes connects;
    private final CatalogueRoutes catalogue;
    private final PolicyRoutes policy;
    private final LedgerRoutes ledger;
    private final UsageRoutes usage;
    private final OperatorRoutes operator;
    private final EnvironmentRoutes environments;

    /// @param beat how long a stream of events may be silent
    public Api(RestParts rooms, ServerFacts facts, Duration beat) {
        this.tools = new ToolDoor(rooms.broker());
        this.refusals = new RecordedRefusals(rooms.broker());
        this.facts = facts;
        this.desk = rooms.desk();
        this.actions = rooms.actions();
        this.archives = rooms.archives();
        this.following =
                new FileEventStream(desk.spaces().threads().events(), beat, rooms.broker()::shown);
        this.workers = rooms.workers();
        this.attempts = new DetachedCalls(tools, rooms.runs());
        this.idempotency =
                new Idempotency(rooms.store(), rooms.answers(), rooms.digest(), rooms.clock());
        this.webhooks = rooms.webhooks();
        var showing = new RunStream(rooms.output(), rooms.faults(), beat);
        var repetition = new RepeatedRequest(idempotency, rooms.runs(), showing, rooms.part());
        this.execute =
                new ExecuteRoutes(tools, attempts, showing, idempotency, webhooks, repetition);
        this.executions =
                new ExecutionRoutes(
                        rooms.broker(),
                        rooms.records(),
                        rooms.runs(),
                        rooms.output(),
                        rooms.keys(),
                        rooms.workers());
        this.output = new OutputRoutes(executions, rooms.runs(), rooms.output(), showing);
        this.resultValue = new ResultValue(executions, rooms.output());
        this.toolCalls = new ToolCallRoutes(executions, rooms.upstreamCalls());
        this.calls = new CallRoutes(new UnknownCalls(rooms.broker(), rooms.store(), rooms.clock()));
        this.retries = new AttemptRoutes(rooms.broker(), rooms.attempts());
        this.directory = rooms.keys();
        this.keys = new KeyRoutes(rooms.keys(), actions.keys());
        this.profiles = new ProfileRoutes(rooms.profiles(), actions.profiles());
        this.secrets = new SecretRoutes(actions.secrets());
        this.upstreams = new UpstreamRoutes(actions.upstreams());
        this.connects = new ConnectRoutes(actions.connects());
        this.catalogue = new CatalogueRoutes(tools, rooms.catalogue());
        this.policy = new PolicyRoutes(actions.policy(), rooms.workers());
        this.ledger = new LedgerRoutes(rooms.ledger(), rooms.keys(), rooms.workers());
        this.usage = new UsageRoutes(rooms.usage(), rooms.keys(), rooms.workers(), rooms.clock());
        this.operator = new OperatorRoutes(facts, rooms.broker());
        this.environments = new EnvironmentRoutes(rooms.environments(), actions.environments());
    }

    /// Answers what servers began that are gone, in the process that leads.
    ///
    /// @return how much
    public int settleAbandoned() {
        var lost = webhooks.abandoned();
        lost.forEach(one -> WebhookNotification.lost(webhooks, one.executionId()));
        return idempotency.settleAbandoned() + lost.size();
    }

    /// Ends the runs under way.
    @Override
    public void close(Duration atMost) {
        attempts.close(atMost);
    }

    Workers workers() {
        return workers;
    }

    RestServer.Refusals refusals() {
        return refusals;
    }

    RouteTable table() {
        return new RouteTable(routes());
    }

    private List<Route> routes() {
        return Stream.of(
                        about(),
                        runs(),
                        records(),
                        retries.routes(),
                        new SessionRoutes(actions.sessions(), directory).routes(),
                        new ThreadRoutes(desk, actions.threads(), archives, following).routes(),
                        new FileRoutes(tools, actions.files()).routes(),
                        new VolumeRoutes(desk, actions.volumes()).routes(),
                        operation(),
                        usage.routes(),
                        environments.routes(),
                        profiles.routes(),
                        secrets.routes(),
                        upstreams.routes(),
                        connects.routes(),
                        catalogue.routes(),
                        policy.routes(),
                        new ApprovalRoutes(actions.approvals()).routes(),
                        calls.routes())
                .flatMap(List::stream)
                .filter(new RouteTools(tools)::exists)
                .map(new RouteTools(tools)::bound)
                .toList();
    }

    private List<Route> about() {
        return List.of(
                Route.get("/v1/openapi.json")
                        .named("getOpenApi", "This document")
                        .open()
                        .giving(Reply.json(200, BodyShape.ANY))
                        .refusing(429)
                        .by(_ -> Response.ok(OpenApi.of(routes(), facts.version()))),
                Route.get("/v1/whoami")
                        .named("whoAmI", "Who this key is, and where")
                        .giving(WhoAmI.class)
                        .by(WhoAmI.action(facts)),
                Route.get("/v1/runners")
                        .named("listRunners", "What programs can be written in, and their limits")
                        .giving(Reply.json(200, tools.output("list_runners", "Runners")))
                        .by(tools.plain("list_runners")));
    }

    private List<Route> runs() {
        return List.of(
                Route.post("/v1/sandbox/execute")
                        .named("execute", "Run a program in a sandbox of its own")
                        .needing(RUN)
                        .with(
                                Parameter.header(
                                        "Prefer", "respond-async: answer now, run on, see later"),
                                Parameter.header(
                                        RunOrder.KEY_HEADER,
                                        "The same key with the same body runs once"))
                        .taking(JsonBody.unchecked(execute.input()))
                        .giving(streamed(execute.output()))
                        .giving(202, AcceptedRun.class)
                        .refusing(409, 410, 422)
                        .by(execute::answer),
                Route.get("/v1/webhooks/secret")
                        .named("getWebhookSecret", "What your receivers check signatures with")
                        .needing(RUN)
                        .giving(WebhookSecret.class)
                        .by(ask -> Response.ok(Records.tree(secret(ask)))));
    }

    record WebhookSecret(String secret) {}

    private WebhookSecret secret(RouteRequest ask) throws InterruptedException {
        return tools.broker()
                .act(
                        RestConversation.inline(ask),
                        ActionRequest.read("webhook_secret_read", Json.object()),
                        call -> new WebhookSecret(webhooks.secret(call.caller().id())));
    }

    private List<Route> records() {
        return List.of(
                Route.get("/v1/executions")
                        .named(
                                "listExecutions",
                                "Executions, the newest first. With a filter, a page that has a"
                                        + " next_cursor may be short or empty: go on with it")
                        .needing(RUN)
                        .with(
                                Parameter.query("status", "Only those that are or ended so"),
                                Parameter.query("language", "Only those in this language"),
                                Parameter.query("thread_id", "Only those in this thread"),
                                Parameter.query("q", "Only those with this text in code or id"),
                                Paging.limit(),
                                Paging.cursor(),
                                ExecutionRoutes.all())
                        .giving(ExecutionRoutes.ExecutionList.class)
                        .by(executions::list),
                Route.get("/v1/executions/{id}")
                        .named("getExecution", "One execution, by its run id or its trace id")
                        .needing(RUN)
                        .with(ExecutionRoutes.all())
                        .giving(ExecutionDetail.class)
                        .by(executions::get),
                Route.delete("/v1/executions/{id}")
                        .named("cancelExecution", "End an execution that runs")
                        .needing(RUN)
                        .with(ExecutionRoutes.all())
                        .giving(ExecutionDetail.class)
                        .refusing(409)
                        .by(executions::cancel),
                Route.get("/v1/executions/{id}/output")
                        .named("getOutput", "What an execution writes, also while it runs")
                        .needing(RUN)
                        .with(
                                Parameter.query("stream", "JSON: stdout, stderr or both"),
                                Parameter.number(
                                        "offset", "JSON: from this byte", OutputRoutes.OFFSET),
                                Parameter.number(
                                        "limit", "JSON: so many bytes", OutputRoutes.BYTES),
                                Parameter.number(
                                        "stdout_offset",
                                        "Events: from this byte",
                                        OutputRoutes.OFFSET),
                                Parameter.number(
                                        "stderr_offset",
                                        "Events: from this byte",
                                        OutputRoutes.OFFSET),
                                ExecutionRoutes.all())
                        .giving(streamed(BodyShape.given(OutputRoutes.OutputPiece.class)))
                        .refusing(409)
                        .by(output::answer),
                Route.get("/v1/executions/{id}/result")
                        .named(
                                "getResult",
                                "The value an execution handed over, also one that was too large for"
                                        + " its answer")
                        .needing(RUN)
                        .with(ExecutionRoutes.all())
                        .giving(ResultValue.HandedValue.class)
                        .by(resultValue::answer),
                Route.get("/v1/executions/{id}/calls")
                        .named(
                                "listCalls",
                                "Calls of tools of other servers that the program of an execution"
                                        + " made, in their order")
                        .needing(RUN)
                        .with(Paging.limit(), Paging.cursor(), ExecutionRoutes.all())
                        .giving(ToolCallRoutes.ToolCallList.class)
                        .by(toolCalls::list));
    }

    private List<Route> operation() {
        return List.of(
                Route.get("/v1/ledger")
                        .named(
                                "listLedger",
                                "The record of every call, the newest first. With a filter, a page"
                                        + " that has a next_cursor may be short or empty: go on"
                                        + " with it")
                        .needing(AUDIT, ADMIN)
                        .with(
                                Parameter.query("caller", "Only those of this key, by name or id"),
                                Parameter.query("tool", "Only those of this tool"),
                                Parameter.query("status", "Only those that ended so"),
                                Parameter.query("after", "next_cursor of the page before"),
                                Paging.limit())
                        .giving(LedgerRoutes.LedgerList.class)
                        .by(ledger::list),
                Route.get("/v1/keys")
                        .named("listKeys", "All keys, the revoked ones too")
                        .needing(ADMIN)
                        .giving(KeyRoutes.KeyList.class)
                        .by(keys::list),
                Route.post("/v1/keys")
                        .named("createKey", "Create a key; its secret is shown once")
                        .needing(ADMIN)
                        .taking(KeyRoutes.NewKeyRequest.class)
                        .giving(201, KeyRoutes.Key.class)
                        .by(keys::create),
                Route.delete("/v1/keys/{id}")
                        .named("revokeKey", "End a key for ever")
                        .needing(ADMIN)
                        .giving(KeyRoutes.Key.class)
                        .by(keys::revoke),
                Route.get("/v1/status")
                        .named("getStatus", "How the server is")
                        .needing(ADMIN)
                        .giving(ServerStatus.class)
                        .by(operator::status),
                Route.post("/v1/doctor")
                        .named("examine", "Attack a sandbox and say what holds")
                        .needing(ADMIN)
                        .giving(Reply.json(200, BodyShape.ANY))
                        .refusing(409)
                        .by(operator::doctor));
    }

    private static Reply streamed(BodyShape shape) {
        return new Reply(
                200,
                "As JSON, or as the events that lead to it.",
                Arrays.stream(RunFormat.values()).map(RunFormat::type).toList(),
                Optional.of(shape));
    }
}

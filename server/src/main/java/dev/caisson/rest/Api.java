package dev.caisson.rest;

import static dev.caisson.call.Scope.ADMIN;
import static dev.caisson.call.Scope.AUDIT;
import static dev.caisson.call.Scope.RUN;

import dev.caisson.json.Records;
import dev.caisson.share.Workers;
import dev.caisson.storage.ArchiveLimits;
import dev.caisson.tools.FileDesk;
import dev.caisson.webhooks.Webhooks;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Everything that can be asked for over REST, in one list.
public final class Api implements AutoCloseable {
    private final ToolDoor tools;
    private final RestServer.Shower shower;
    private final ServerFacts facts;
    private final Attempts attempts;
    private final Idempotency idempotency;
    private final Webhooks webhooks;
    private final Execute execute;
    private final FileDesk desk;
    private final ArchiveLimits archives;
    private final FileFollowing following;
    private final Workers workers;
    private final Executions executions;
    private final Output output;
    private final ResultValue resultValue;
    private final KeyRoutes keys;
    private final LedgerRoutes ledger;
    private final OperatorRoutes operator;

    /// @param beat how long a stream of events may be silent
    public Api(Rooms rooms, ServerFacts facts, Duration beat) {
        this.tools = new ToolDoor(rooms.broker());
        this.shower = rooms.broker()::shown;
        this.facts = facts;
        this.desk = rooms.desk();
        this.archives = rooms.archives();
        this.following =
                new FileFollowing(desk.spaces().threads().events(), beat, rooms.broker()::shown);
        this.workers = rooms.workers();
        this.attempts = new Attempts(tools, rooms.runs());
        this.idempotency =
                new Idempotency(rooms.store(), rooms.answers(), rooms.digest(), rooms.clock());
        this.webhooks = rooms.webhooks();
        var showing = new Showing(rooms.output(), rooms.faults(), beat);
        var repetition = new Repetition(idempotency, rooms.runs(), showing, rooms.part());
        this.execute = new Execute(tools, attempts, showing, idempotency, webhooks, repetition);
        this.executions =
                new Executions(
                        rooms.records(),
                        rooms.runs(),
                        rooms.output(),
                        rooms.keys(),
                        rooms.workers());
        this.output = new Output(executions, rooms.runs(), rooms.output(), showing);
        this.resultValue = new ResultValue(executions, rooms.output());
        this.keys = new KeyRoutes(rooms.keys());
        this.ledger = new LedgerRoutes(rooms.ledger(), rooms.keys(), rooms.workers());
        this.operator = new OperatorRoutes(facts);
    }

    /// Answers what servers began that are gone, in the process that leads.
    ///
    /// @return how much
    public int settleAbandoned() {
        var lost = webhooks.abandoned();
        lost.forEach(one -> Notification.lost(webhooks, one.executionId()));
        return idempotency.settleAbandoned() + lost.size();
    }

    /// Begins with what goes on by itself.
    public void start() {
        webhooks.start();
    }

    /// Ends the runs under way.
    @Override
    public void close() {
        attempts.close();
        webhooks.close();
    }

    Workers workers() {
        return workers;
    }

    RestServer.Shower shower() {
        return shower;
    }

    RouteTable table() {
        return new RouteTable(routes());
    }

    private List<Route> routes() {
        return Stream.of(
                        about(),
                        runs(),
                        records(),
                        new ThreadRoutes(desk, archives, following).routes(),
                        new FileRoutes(tools, desk).routes(),
                        new VolumeRoutes(desk).routes(),
                        operation())
                .flatMap(List::stream)
                .map(new RouteTools(tools)::bound)
                .toList();
    }

    private List<Route> about() {
        return List.of(
                Route.get("/v1/openapi.json")
                        .named("getOpenApi", "This document")
                        .open()
                        .giving(Reply.json(200, Shape.ANY))
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
                                        Order.KEY_HEADER,
                                        "The same key with the same body runs once"))
                        .taking(Body.unchecked(execute.input()))
                        .giving(streamed(execute.output()))
                        .giving(202, Accepted.class)
                        .refusing(409, 410, 422)
                        .by(execute::answer),
                Route.get("/v1/webhooks/secret")
                        .named("getWebhookSecret", "What your receivers check signatures with")
                        .needing(RUN)
                        .giving(WebhookSecret.class)
                        .by(ask -> Response.ok(Records.tree(secret(ask)))));
    }

    record WebhookSecret(String secret) {}

    private WebhookSecret secret(Ask ask) {
        return new WebhookSecret(webhooks.secret(ask.caller().id()));
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
                                Executions.all())
                        .giving(Executions.ExecutionList.class)
                        .by(executions::list),
                Route.get("/v1/executions/{id}")
                        .named("getExecution", "One execution, by its run id or its trace id")
                        .needing(RUN)
                        .with(Executions.all())
                        .giving(ExecutionDetail.class)
                        .by(executions::get),
                Route.delete("/v1/executions/{id}")
                        .named("cancelExecution", "End an execution that runs")
                        .needing(RUN)
                        .with(Executions.all())
                        .giving(ExecutionDetail.class)
                        .refusing(409)
                        .by(executions::cancel),
                Route.get("/v1/executions/{id}/output")
                        .named("getOutput", "What an execution writes, also while it runs")
                        .needing(RUN)
                        .with(
                                Parameter.query("stream", "JSON: stdout, stderr or both"),
                                Parameter.number("offset", "JSON: from this byte", Output.OFFSET),
                                Parameter.number("limit", "JSON: so many bytes", Output.BYTES),
                                Parameter.number(
                                        "stdout_offset", "Events: from this byte", Output.OFFSET),
                                Parameter.number(
                                        "stderr_offset", "Events: from this byte", Output.OFFSET),
                                Executions.all())
                        .giving(streamed(Shape.given(Output.OutputPiece.class)))
                        .refusing(409)
                        .by(output::answer),
                Route.get("/v1/executions/{id}/result")
                        .named(
                                "getResult",
                                "The value an execution handed over, also one that was too large for"
                                        + " its answer")
                        .needing(RUN)
                        .with(Executions.all())
                        .giving(ResultValue.HandedValue.class)
                        .by(resultValue::answer));
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
                        .named("createKey", "Make a key; its secret is shown once")
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
                        .giving(Reply.json(200, Shape.ANY))
                        .refusing(409)
                        .by(operator::doctor));
    }

    private static Reply streamed(Shape shape) {
        return new Reply(
                200,
                "As JSON, or as the events that lead to it.",
                Arrays.stream(Format.values()).map(Format::type).toList(),
                Optional.of(shape));
    }
}

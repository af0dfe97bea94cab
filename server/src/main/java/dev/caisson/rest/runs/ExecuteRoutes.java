package dev.caisson.rest.runs;

import dev.caisson.call.ReplyMode;
import dev.caisson.json.Json;
import dev.caisson.rest.route.BodyShape;
import dev.caisson.rest.route.Response;
import dev.caisson.rest.route.RouteRequest;
import dev.caisson.runs.LiveRun;
import dev.caisson.tools.SandboxExecute;
import dev.caisson.webhooks.Webhooks;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Route that runs a program, and gives the result at once, while it happens, or later.
public final class ExecuteRoutes {
    public static final String TOOL = "sandbox_execute";

    private final ToolDoor tools;
    private final DetachedCalls attempts;
    private final RunStream showing;
    private final Idempotency idempotency;
    private final Webhooks webhooks;
    private final RepeatedRequest repetition;

    public ExecuteRoutes(
            ToolDoor tools,
            DetachedCalls attempts,
            RunStream showing,
            Idempotency idempotency,
            Webhooks webhooks,
            RepeatedRequest repetition) {
        this.tools = tools;
        this.attempts = attempts;
        this.showing = showing;
        this.idempotency = idempotency;
        this.webhooks = webhooks;
        this.repetition = repetition;
    }

    /// What the tool takes, and where a result that comes later is sent.
    public BodyShape input() {
        return new BodyShape("ExecuteRequest", this::inputSchema);
    }

    private ObjectNode inputSchema() {
        var schema = tools.input(TOOL, "").schema().get();
        ((ObjectNode) schema.get("properties"))
                .set(
                        RunOrder.WEBHOOK_MEMBER,
                        Json.object()
                                .put("type", "string")
                                .put("maxLength", Webhooks.URL_LENGTH_MAX)
                                .put(
                                        "description",
                                        "Where the result is sent once it is there; needs Prefer:"
                                                + " respond-async."));
        return schema;
    }

    public BodyShape output() {
        return new BodyShape("ExecutionResult", SandboxExecute::reportSchema);
    }

    public Response answer(RouteRequest ask) throws InterruptedException {
        var order = RunOrder.of(ask);
        if (order.webhook().isPresent()) {
            webhooks.check(ask.caller().id(), order.webhook().get());
        }
        return order.key().isPresent()
                ? once(ask, order, new IdempotencyRows.Place(ask.caller().id(), order.key().get()))
                : run(ask, order, CallListener.NONE);
    }

    /// What was refused before its program could run leaves the key free, so that whoever waited
    /// for it tries in its place.
    private Response once(RouteRequest ask, RunOrder order, IdempotencyRows.Place place)
            throws InterruptedException {
        while (true) {
            var before = idempotency.claim(place, ask.body(), ask.exchange().trace().value());
            var answer =
                    before.isEmpty()
                            ? Optional.of(run(ask, order, idempotency.witness(place)))
                            : repetition.answer(ask, order, place);
            if (answer.isPresent()) {
                return answer.get();
            }
        }
    }

    private Response run(RouteRequest ask, RunOrder order, CallListener witness)
            throws InterruptedException {
        var listener = CallListener.all(List.of(witness, notification(ask, order)));
        if (order.delivery() == ReplyMode.INLINE && order.key().isEmpty()) {
            return Response.ok(whileHere(ask, order, listener).json());
        }
        var attempt = attempts.start(order, ask, listener);
        try {
            return switch (order.delivery()) {
                case INLINE -> Response.ok(result(ask, attempt).json());
                case STREAMING -> stream(ask, order, attempt);
                case ASYNC, WEBHOOK ->
                        AcceptedRun.running(attempt.trace().value(), attempt.run().id()).response();
            };
        } catch (InterruptedException stopping) {
            attempt.cancel();
            throw stopping;
        }
    }

    /// When the client leaves, the program is ended.
    private RunResult whileHere(RouteRequest ask, RunOrder order, CallListener listener)
            throws InterruptedException {
        return DisconnectWatch.whileHere(
                ask.exchange(), () -> attempts.run(order, ask, listener).result());
    }

    /// When the client leaves the request ends, and the program goes on: the same request may come
    /// again.
    private static RunResult result(RouteRequest ask, DetachedCall attempt)
            throws InterruptedException {
        while (!attempt.awaitOver(DisconnectWatch.GLANCE)) {
            DisconnectWatch.require(ask.exchange());
        }
        return attempt.result();
    }

    private CallListener notification(RouteRequest ask, RunOrder order) {
        return order.webhook()
                .<CallListener>map(url -> new WebhookNotification(webhooks, ask.caller().id(), url))
                .orElse(CallListener.NONE);
    }

    /// When the reader leaves, the program is ended, unless the same request may come again and go
    /// on with it.
    private Response stream(RouteRequest ask, RunOrder order, DetachedCall attempt)
            throws InterruptedException {
        var run = attempt.run();
        var events = open(ask, order.format(), run);
        if (order.key().isEmpty()) {
            events.onClose(run::cancel);
        }
        return showing.show(
                events,
                StreamedRun.of(run, attempt.trace().value()),
                Optional.of(run),
                attempt::result);
    }

    private static EventWriter open(RouteRequest ask, RunFormat format, LiveRun run) {
        try {
            return EventWriter.open(ask, format);
        } catch (RuntimeException noStream) {
            run.cancel();
            throw noStream;
        }
    }
}

package dev.caisson.rest;

import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import dev.caisson.tools.LiveRun;
import dev.caisson.tools.SandboxExecute;
import dev.caisson.webhooks.Webhooks;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Runs a program, and gives the result at once, while it happens, or later.
final class Execute {
    static final String TOOL = "sandbox_execute";

    private final ToolDoor tools;
    private final Attempts attempts;
    private final Showing showing;
    private final Idempotency idempotency;
    private final Webhooks webhooks;
    private final Repetition repetition;

    Execute(
            ToolDoor tools,
            Attempts attempts,
            Showing showing,
            Idempotency idempotency,
            Webhooks webhooks,
            Repetition repetition) {
        this.tools = tools;
        this.attempts = attempts;
        this.showing = showing;
        this.idempotency = idempotency;
        this.webhooks = webhooks;
        this.repetition = repetition;
    }

    /// What the tool takes, and where a result that comes later is sent.
    Shape input() {
        return new Shape("ExecuteRequest", this::inputSchema);
    }

    private ObjectNode inputSchema() {
        var schema = tools.input(TOOL, "").schema().get();
        ((ObjectNode) schema.get("properties"))
                .set(
                        Order.WEBHOOK_MEMBER,
                        Json.object()
                                .put("type", "string")
                                .put("maxLength", Webhooks.URL_LENGTH_MAX)
                                .put(
                                        "description",
                                        "Where the result is sent once it is there; needs Prefer:"
                                                + " respond-async."));
        return schema;
    }

    Shape output() {
        return new Shape("ExecutionResult", SandboxExecute::reportSchema);
    }

    Response answer(Ask ask) throws InterruptedException {
        var order = Order.of(ask);
        if (order.webhook().isPresent()) {
            webhooks.check(ask.caller().id(), order.webhook().get());
        }
        return order.key().isPresent()
                ? once(ask, order, new KeptRows.Place(ask.caller().id(), order.key().get()))
                : run(ask, order, Witness.NONE);
    }

    /// What was refused before its program could run leaves the key free, so that whoever waited
    /// for it tries in its place.
    private Response once(Ask ask, Order order, KeptRows.Place place) throws InterruptedException {
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

    private Response run(Ask ask, Order order, Witness witness) throws InterruptedException {
        var attempt =
                attempts.start(order, ask, Witness.all(List.of(witness, notification(ask, order))));
        try {
            return switch (order.delivery()) {
                case INLINE -> Response.ok(result(ask, order, attempt));
                case STREAMING -> stream(ask, order, attempt);
                case ASYNC, WEBHOOK ->
                        Accepted.running(attempt.trace().value(), attempt.run().id()).response();
            };
        } catch (InterruptedException stopping) {
            attempt.cancel();
            throw stopping;
        }
    }

    /// When the client leaves, the program is ended, unless the same request may come again. Either
    /// way the request ends.
    private static JsonNode result(Ask ask, Order order, Attempt attempt)
            throws InterruptedException {
        while (!attempt.awaitOver(Presence.GLANCE)) {
            try {
                Presence.require(ask.exchange());
            } catch (Refusal left) {
                if (order.key().isEmpty()) {
                    attempt.cancel();
                }
                throw left;
            }
        }
        return attempt.result();
    }

    private Witness notification(Ask ask, Order order) {
        return order.webhook()
                .<Witness>map(url -> new Notification(webhooks, ask.caller().id(), url))
                .orElse(Witness.NONE);
    }

    /// When the reader leaves, the program is ended, unless the same request may come again and go
    /// on with it.
    private Response stream(Ask ask, Order order, Attempt attempt) throws InterruptedException {
        var run = attempt.run();
        var events = open(ask, order.format(), run);
        if (order.key().isEmpty()) {
            events.onClose(run::cancel);
        }
        return showing.show(
                events, Shown.of(run, attempt.trace().value()), Optional.of(run), attempt::result);
    }

    private static Events open(Ask ask, Format format, LiveRun run) {
        try {
            return Events.open(ask, format);
        } catch (RuntimeException noStream) {
            run.cancel();
            throw noStream;
        }
    }
}

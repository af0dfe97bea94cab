package dev.caisson.http;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import dev.caisson.telemetry.Faults;
import java.util.Optional;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/// Where every request comes in, each on a virtual thread of its own: checked, counted, handed to
/// its handler, and answered whatever happens there.
final class Entrance extends org.eclipse.jetty.server.Handler.Abstract {
    private final Routes routes;
    private final Gatekeeper gatekeeper;
    private final Traffic traffic;
    private final Faults faults;
    private final Optional<String> resourceMetadata;

    Entrance(
            Routes routes,
            Gatekeeper gatekeeper,
            Traffic traffic,
            Faults faults,
            Optional<String> resourceMetadata) {
        this.routes = routes;
        this.gatekeeper = gatekeeper;
        this.traffic = traffic;
        this.faults = faults;
        this.resourceMetadata = resourceMetadata;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        // A handler may think for longer than a connection may lie idle, and a stream be silent.
        request.addIdleTimeoutListener(timeout -> false);
        var exchange = new JettyExchange(traffic, request, response, callback);
        try {
            enter(exchange, Request.getLocalPort(request));
            if (!exchange.isAnswered()) {
                throw new IllegalStateException("the handler returned without an answer");
            }
        } catch (Refusal refusal) {
            refuse(exchange, refusal);
        } catch (InterruptedException stopping) {
            refuse(
                    exchange,
                    new Refusal(
                            Reason.UNAVAILABLE,
                            "The server is stopping, and has ended what was under way."));
        } catch (Throwable fault) {
            var number = faults.report(fault);
            exchange.note("fault", number);
            answer(exchange, Answer.of(500, "internal", Faults.sentence(number)));
        }
        return true;
    }

    private void refuse(JettyExchange exchange, Refusal refusal) {
        traffic.refused(refusal.reason());
        answer(exchange, Answer.of(refusal, resourceMetadata));
    }

    private void enter(JettyExchange exchange, int port) throws Exception {
        var complaint =
                gatekeeper.complaint(exchange.header("Host"), exchange.header("Origin"), port);
        if (complaint.isPresent()) {
            throw new Refusal(Reason.FORBIDDEN, complaint.get());
        }
        if (exchange.hasPathParameters()) {
            throw new Refusal(Reason.MALFORMED, "A semicolon in a path must be percent-encoded.");
        }
        var route =
                routes.find(exchange.path())
                        .orElseThrow(() ->
                                new Refusal(Reason.NOT_FOUND, "There is nothing at this path."));
        exchange.record().route(route.name());
        if (route.operational()) {
            route.handler().handle(exchange);
            return;
        }
        traffic.takeRequest();
        try {
            route.handler().handle(exchange);
        } finally {
            traffic.requestHandled();
        }
    }

    private static void answer(JettyExchange exchange, Answer answer) {
        if (exchange.isAnswered()) {
            exchange.abort();
        } else {
            exchange.reply(answer.status(), answer.headers(), Json.bytes(answer.body()));
        }
    }
}

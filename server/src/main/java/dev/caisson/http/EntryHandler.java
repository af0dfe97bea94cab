package dev.caisson.http;

import dev.caisson.call.FullDisk;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.http.Routes.Kind;
import dev.caisson.json.Json;
import dev.caisson.telemetry.Faults;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/// First handler of every request: what the operator asks is answered at once, on the threads of
/// the listener itself, which wait for nobody; everything else is handed to its handler, each
/// request on a thread of its own, and answered whatever happens there.
final class EntryHandler extends org.eclipse.jetty.server.Handler.Abstract.NonBlocking {
    private static final List<String> READING = List.of("GET", "HEAD");

    private final Routes routes;
    private final HostCheck gatekeeper;
    private final OpenExchanges traffic;
    private final Faults faults;
    private final Challenges challenges;
    private final Executor handlers;

    /// @param handlers where the requests of callers are handled
    EntryHandler(
            Routes routes,
            HostCheck gatekeeper,
            OpenExchanges traffic,
            Faults faults,
            Challenges challenges,
            Executor handlers) {
        this.routes = routes;
        this.gatekeeper = gatekeeper;
        this.traffic = traffic;
        this.faults = faults;
        this.challenges = challenges;
        this.handlers = handlers;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        // A handler may think for longer than a connection may lie idle, and a stream be silent.
        request.addIdleTimeoutListener(timeout -> false);
        var exchange = new JettyExchange(traffic, request, response, callback);
        var route = routes.find(exchange.path());
        int port = Request.getLocalPort(request);
        if (route.isPresent() && route.get().kind() instanceof Kind.Operational(var operation)) {
            exchange.record().route(route.get().name());
            exchange.record().routine();
            operate(exchange, operation, port);
        } else {
            begin(exchange, route, port);
        }
        return true;
    }

    private void operate(JettyExchange exchange, Operation operation, int port) {
        var refusal = refusal(exchange, port);
        if (refusal.isPresent()) {
            refuseLater(exchange, refusal.get());
            return;
        }
        if (!READING.contains(exchange.method())) {
            exchange.replyLater(405, Map.of("Allow", String.join(", ", READING)), new byte[0]);
            return;
        }
        var _ =
                operation
                        .find()
                        .whenComplete((found, failure) -> {
                            if (failure == null) {
                                exchange.replyLater(
                                        found.status(),
                                        Map.of("Content-Type", found.type()),
                                        found.content());
                            } else {
                                answerLater(exchange, fault(exchange, failure));
                            }
                        });
    }

    private void begin(JettyExchange exchange, Optional<Routes.Route> route, int port) {
        try {
            handlers.execute(() -> handle(exchange, route, port));
        } catch (RejectedExecutionException stopping) {
            refuseLater(exchange, Refusal.stopping("The server is stopping."));
        }
    }

    private void handle(JettyExchange exchange, Optional<Routes.Route> route, int port) {
        traffic.began(exchange);
        try {
            enter(exchange, route, port);
            if (!exchange.isAnswered()) {
                throw new IllegalStateException("the handler returned without an answer");
            }
        } catch (Refusal refusal) {
            traffic.refused(refusal.reason());
            answer(exchange, ErrorAnswer.of(refusal, challenges));
        } catch (InterruptedException stopping) {
            var refusal =
                    Refusal.stopping("The server is stopping, and has ended what was under way.");
            traffic.refused(refusal.reason());
            answer(exchange, ErrorAnswer.of(refusal, challenges));
        } catch (Throwable fault) {
            answer(exchange, failure(exchange, fault));
        } finally {
            exchange.handled();
        }
    }

    private void enter(JettyExchange exchange, Optional<Routes.Route> found, int port)
            throws Exception {
        var refusal = refusal(exchange, port);
        if (refusal.isPresent()) {
            throw refusal.get();
        }
        if (exchange.hasEscapedSlash()
                && found.filter(EntryHandler::takesEscapedSlashes).isEmpty()) {
            throw new Refusal(Reason.MALFORMED, "An escaped slash cannot stand in this path.");
        }
        var route =
                found.orElseThrow(
                        () -> new Refusal(Reason.NOT_FOUND, "There is nothing at this path."));
        exchange.record().route(route.name());
        switch (route.kind()) {
            case Kind.Open(var handler) -> {
                exchange.record().routine();
                exchange.shares().takePlace();
                handler.handle(exchange);
            }
            case Kind.Door(var handler, _) -> {
                exchange.requireEachParameterOnce();
                exchange.shares().awaitAdmission();
                handler.handle(exchange);
            }
            case Kind.Operational _ -> throw new IllegalStateException("answered before");
        }
    }

    private static boolean takesEscapedSlashes(Routes.Route route) {
        return route.kind() instanceof Kind.Door(_, var escapedSlashes) && escapedSlashes;
    }

    private Optional<Refusal> refusal(JettyExchange exchange, int port) {
        return exchange.repetition().or(() -> refusalOfGatekeeper(exchange, port));
    }

    private Optional<Refusal> refusalOfGatekeeper(JettyExchange exchange, int port) {
        return gatekeeper
                .complaint(exchange.header("Host"), exchange.header("Origin"), port)
                .map(complaint -> new Refusal(Reason.FORBIDDEN, complaint))
                .or(() ->
                        exchange.hasPathParameters()
                                ? Optional.of(
                                        new Refusal(
                                                Reason.MALFORMED,
                                                "A semicolon in a path must be percent-encoded."))
                                : Optional.empty());
    }

    private ErrorAnswer failure(JettyExchange exchange, Throwable failure) {
        var full = FullDisk.refusal(failure);
        full.ifPresent(refusal -> traffic.refused(refusal.reason()));
        return full.map(refusal -> ErrorAnswer.of(refusal, challenges))
                .orElseGet(() -> fault(exchange, failure));
    }

    private ErrorAnswer fault(JettyExchange exchange, Throwable fault) {
        var number = faults.report(fault);
        exchange.note("fault", number);
        return ErrorAnswer.fault(Faults.sentence(number));
    }

    private static void answer(JettyExchange exchange, ErrorAnswer answer) {
        if (exchange.isAnswered()) {
            exchange.abort();
        } else {
            exchange.reply(answer.status(), answer.headers(), Json.bytes(answer.body()));
        }
    }

    private void refuseLater(JettyExchange exchange, Refusal refusal) {
        traffic.refused(refusal.reason());
        answerLater(exchange, ErrorAnswer.of(refusal, challenges));
    }

    private static void answerLater(JettyExchange exchange, ErrorAnswer answer) {
        exchange.replyLater(answer.status(), answer.headers(), Json.bytes(answer.body()));
    }
}

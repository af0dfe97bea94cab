package dev.caisson.http;

import dev.caisson.json.Json;
import dev.caisson.telemetry.Metrics;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/// What the operator asks: is it alive, is it ready, what are the numbers.
public final class Operations {
    /// Something that must hold before the server can do its work.
    ///
    /// @param name shown when it does not hold
    public record Check(String name, BooleanSupplier holds) {}

    /// Something an operator wants to know together with the readiness.
    public record Fact(String name, Supplier<String> value) {}

    private final Metrics metrics;
    private final List<Check> checks;
    private final List<Fact> facts;

    public Operations(Metrics metrics, List<Check> checks) {
        this(metrics, checks, List.of());
    }

    public Operations(Metrics metrics, List<Check> checks, List<Fact> facts) {
        this.metrics = metrics;
        this.checks = List.copyOf(checks);
        this.facts = List.copyOf(facts);
    }

    /// Adds `/healthz`, `/readyz` and `/metrics`.
    public Routes.Builder addTo(Routes.Builder routes) {
        return routes.operational("/healthz", reading(this::health))
                .operational("/readyz", reading(this::readiness))
                .operational("/metrics", reading(this::numbers));
    }

    private void health(Exchange exchange) {
        reply(exchange, 200, Json.object().put("status", "ok"));
    }

    private void readiness(Exchange exchange) {
        var failing = checks.stream().filter(check -> !check.holds().getAsBoolean()).toList();
        var answer = Json.object().put("status", failing.isEmpty() ? "ready" : "unavailable");
        facts.forEach(fact -> answer.put(fact.name(), fact.value().get()));
        if (!failing.isEmpty()) {
            var names = answer.putArray("failing");
            failing.forEach(check -> names.add(check.name()));
        }
        reply(exchange, failing.isEmpty() ? 200 : 503, answer);
    }

    private void numbers(Exchange exchange) {
        exchange.reply(200, Map.of("Content-Type", Metrics.CONTENT_TYPE), metrics.scrape());
    }

    private static void reply(Exchange exchange, int status, JsonNode body) {
        exchange.reply(status, Map.of("Content-Type", "application/json"), Json.bytes(body));
    }

    private static Handler reading(Handler handler) {
        return exchange -> {
            switch (exchange.method()) {
                case "GET", "HEAD" -> handler.handle(exchange);
                default -> exchange.reply(405, Map.of("Allow", "GET, HEAD"), new byte[0]);
            }
        };
    }
}

package dev.caisson.http;

import dev.caisson.http.Operation.Finding;
import dev.caisson.json.Json;
import dev.caisson.telemetry.Metrics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Operator endpoints: `/healthz`, `/readyz`, `/metrics`.
public final class Operations {
    /// Something that must hold before the server can do its work.
    ///
    /// @param name shown when it does not hold
    public record Check(String name, BooleanSupplier holds) {}

    /// Something an operator wants to know together with the readiness.
    public record Fact(String name, Supplier<String> value) {}

    private static final String JSON = "application/json";

    private final Metrics metrics;
    private final Map<String, ReadinessProbe> probes = new LinkedHashMap<>();
    private final List<Fact> facts;
    private final Supplier<List<String>> warnings;
    private final Optional<Guard> guard;

    /// Decides who reads the numbers, by a refusal, and says who asks. The numbers then cost that
    /// caller a place.
    public interface Guard {
        void admit(Exchange exchange);
    }

    /// Each check has a thread while it is asked, and never more than one.
    private final Executor checking = Executors.newCachedThreadPool(threads("readiness-"));

    private final Executor counting = Executors.newSingleThreadExecutor(threads("metrics-"));

    /// The scrape that waits to begin. All who ask before it does get its result, so however many
    /// ask, each waits for two scrapes at most.
    private @Nullable CompletableFuture<Finding> nextScrape;

    public Operations(Metrics metrics, List<Check> checks) {
        this(metrics, checks, List.of(), List::of, Optional.empty());
    }

    /// @param warnings sentences about what will keep the server from its work unless somebody acts
    /// @param guard without one everybody reads the numbers
    public Operations(
            Metrics metrics,
            List<Check> checks,
            List<Fact> facts,
            Supplier<List<String>> warnings,
            Optional<Guard> guard) {
        this.metrics = metrics;
        checks.forEach(
                check -> probes.put(check.name(), new ReadinessProbe(check.holds(), checking)));
        this.facts = List.copyOf(facts);
        this.warnings = warnings;
        this.guard = guard;
    }

    /// Of the platform, for callers' work may keep all threads busy that carry virtual ones.
    private static ThreadFactory threads(String name) {
        return Thread.ofPlatform().name(name, 0).daemon().factory();
    }

    /// Adds `/healthz`, `/readyz` and `/metrics`.
    public Routes.Builder addTo(Routes.Builder routes) {
        routes.operational("/healthz", this::health).operational("/readyz", this::readiness);
        return guard.isEmpty()
                ? routes.operational("/metrics", this::numbers)
                : routes.door("/metrics", this::guardedNumbers);
    }

    private CompletableFuture<Finding> health() {
        return CompletableFuture.completedFuture(finding(200, Json.object().put("status", "ok")));
    }

    private CompletableFuture<Finding> readiness() {
        var answers = new LinkedHashMap<String, CompletableFuture<Boolean>>();
        probes.forEach((name, probe) -> answers.put(name, probe.ask()));
        return CompletableFuture.allOf(answers.values().toArray(CompletableFuture[]::new))
                .thenApply(_ ->
                        readiness(
                                answers.entrySet().stream()
                                        .filter(each -> !each.getValue().join())
                                        .map(Map.Entry::getKey)
                                        .toList()));
    }

    private Finding readiness(List<String> failing) {
        var answer = Json.object().put("status", failing.isEmpty() ? "ready" : "unavailable");
        facts.forEach(fact -> answer.put(fact.name(), fact.value().get()));
        var soon = warnings.get();
        if (!soon.isEmpty()) {
            soon.forEach(answer.putArray("warnings")::add);
        }
        if (!failing.isEmpty()) {
            failing.forEach(answer.putArray("failing")::add);
        }
        return finding(failing.isEmpty() ? 200 : 503, answer);
    }

    private synchronized CompletableFuture<Finding> numbers() {
        if (nextScrape == null) {
            nextScrape = CompletableFuture.supplyAsync(this::scrape, counting);
        }
        return nextScrape;
    }

    private Finding scrape() {
        synchronized (this) {
            nextScrape = null;
        }
        return new Finding(200, Metrics.CONTENT_TYPE, metrics.scrape());
    }

    private void guardedNumbers(Exchange exchange) throws Exception {
        guard.orElseThrow().admit(exchange);
        if (!Set.of("GET", "HEAD").contains(exchange.method())) {
            exchange.reply(405, Map.of("Allow", "GET, HEAD"), new byte[0]);
            return;
        }
        var found = numbers().get();
        exchange.reply(found.status(), Map.of("Content-Type", found.type()), found.content());
    }

    private static Finding finding(int status, JsonNode body) {
        return new Finding(status, JSON, Json.bytes(body));
    }
}

package dev.caisson.acceptance.bench.warm;

import dev.caisson.acceptance.product.Product;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Waiting until a server has nothing more to do.
final class Settling {
    /// How long a server may take to tidy up, and its pool to be as it should.
    private static final Duration SETTLE_MAX = Duration.ofSeconds(60);

    /// How long packages may take to be fetched and unpacked.
    private static final Duration BAKE_MAX = Duration.ofMinutes(3);

    /// The packages of every run that asks for no others.
    private static final String USUAL = "data";

    /// How often in a row the same must be seen.
    private static final int STEADY = 8;

    /// As many as keep a small machine busy.
    private static final int CLIENTS = 4;

    private Settling() {}

    static void awaitPool(Product product) throws IOException, InterruptedException {
        long end = System.nanoTime() + SETTLE_MAX.toNanos();
        try (var client = new Client(product)) {
            while (!isFull(client) && System.nanoTime() - end < 0) {
                Thread.sleep(50);
            }
        }
    }

    private static boolean isFull(Client client) throws IOException {
        var ready = client.metric("caisson_pool_ready");
        var target = client.metric("caisson_pool_target");
        return !ready.isEmpty()
                && ready.entrySet().stream()
                        .allMatch(one ->
                                one.getValue() > 0
                                        && one.getValue()
                                                >= target.getOrDefault(one.getKey(), 0.0));
    }

    /// Waits until no packages are being made ready, and those of every run are.
    ///
    /// @return why they are not; empty when they are
    static Optional<String> awaitPackages(Client client) throws IOException, InterruptedException {
        long end = System.nanoTime() + BAKE_MAX.toNanos();
        var told = client.environments();
        // A server listens before it begins to make them ready.
        while (isBaking(told) || (!isReady(told) && failure(told).isEmpty())) {
            if (System.nanoTime() - end >= 0) {
                return Optional.of(
                        "they were not ready after " + BAKE_MAX.toMinutes() + " minutes");
            }
            Thread.sleep(500);
            told = client.environments();
        }
        return isReady(told) ? Optional.empty() : failure(told);
    }

    private static boolean isBaking(JsonNode told) {
        return told.path("bakes")
                .valueStream()
                .anyMatch(bake -> bake.path("state").asString("").equals("running"));
    }

    private static boolean isReady(JsonNode told) {
        return told.path("environments")
                .valueStream()
                .anyMatch(each -> each.path("name").asString("").equals(USUAL));
    }

    private static Optional<String> failure(JsonNode told) {
        return told.path("bakes")
                .valueStream()
                .filter(bake -> bake.path("name").asString("").equals(USUAL))
                .filter(bake -> bake.path("state").asString("").equals("failed"))
                .map(bake -> bake.path("error").asString("the bake failed"))
                .findFirst();
    }

    /// What there is more of after many runs, though the server had time to tidy up.
    static Map<String, String> leftAfter(Product product, Amount plan)
            throws IOException, InterruptedException {
        var inhabitants = new Inhabitants(product);
        var before = settled(inhabitants);
        var runs = Crowd.many(product, CLIENTS, plan.soak());
        if (runs.failed() > 0) {
            throw new IOException(runs.failed() + " of " + plan.soak() + " runs failed");
        }
        long end = System.nanoTime() + SETTLE_MAX.toNanos();
        var more = more(inhabitants, before);
        while (!more.isEmpty() && System.nanoTime() - end < 0) {
            Thread.sleep(500);
            more = more(inhabitants, before);
        }
        return more;
    }

    private static Map<String, String> more(Inhabitants inhabitants, Map<String, Long> before)
            throws IOException {
        Map<String, String> more = new LinkedHashMap<>();
        inhabitants
                .leftovers()
                .forEach((what, now) -> {
                    long then = before.getOrDefault(what, 0L);
                    if (now > then) {
                        more.put(what, then + " before, " + now + " after");
                    }
                });
        return more;
    }

    /// Looks until it has stayed the same for a while: what a crowd used is closed and made anew
    /// one after the other.
    private static Map<String, Long> settled(Inhabitants inhabitants)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + SETTLE_MAX.toNanos();
        var seen = inhabitants.leftovers();
        for (int same = 0; same < STEADY && System.nanoTime() - end < 0; ) {
            Thread.sleep(500);
            var next = inhabitants.leftovers();
            same = next.equals(seen) ? same + 1 : 0;
            seen = next;
        }
        return seen;
    }
}

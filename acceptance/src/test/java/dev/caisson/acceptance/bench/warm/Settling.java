package dev.caisson.acceptance.bench.warm;

import dev.caisson.acceptance.product.Product;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/// Waiting until a server has nothing more to do.
final class Settling {
    /// How long a server may take to tidy up, and its pool to be as it should.
    private static final Duration SETTLE_MAX = Duration.ofSeconds(60);

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

    /// What is different after many runs, though the server had time to tidy up.
    static Map<String, String> leftAfter(Product product, Amount plan)
            throws IOException, InterruptedException {
        var inhabitants = new Inhabitants(product);
        var before = settled(inhabitants, Map.of());
        var runs = Crowd.many(product, CLIENTS, plan.soak());
        if (runs.failed() > 0) {
            throw new IOException(runs.failed() + " of " + plan.soak() + " runs failed");
        }
        var after = settled(inhabitants, before);
        Map<String, String> differences = new LinkedHashMap<>();
        after.forEach((what, now) -> {
            var then = before.getOrDefault(what, "");
            if (!now.equals(then)) {
                differences.put(what, then + " before, " + now + " after");
            }
        });
        return differences;
    }

    /// Looks until it is as wanted, or as long as it may take. Without a wish, until it has stayed
    /// the same for a while: what a crowd used is closed and made anew one after the other.
    private static Map<String, String> settled(Inhabitants inhabitants, Map<String, String> wanted)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + SETTLE_MAX.toNanos();
        var seen = inhabitants.leftovers();
        int same = 0;
        while ((wanted.isEmpty() ? same < STEADY : !seen.equals(wanted))
                && System.nanoTime() - end < 0) {
            Thread.sleep(500);
            var next = inhabitants.leftovers();
            same = next.equals(seen) ? same + 1 : 0;
            seen = next;
        }
        return seen;
    }
}

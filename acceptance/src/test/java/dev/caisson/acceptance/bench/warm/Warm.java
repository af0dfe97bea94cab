package dev.caisson.acceptance.bench.warm;

import dev.caisson.acceptance.product.Product;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;

/// Measures all of it, on servers of its own.
public final class Warm {
    private static final String NO_POOL = "sandbox.pool_memory_bytes=0B";

    /// How long a server may take to tidy up, and its pool to be as it should.
    private static final Duration SETTLE_MAX = Duration.ofSeconds(60);

    /// How often in a row the same must be seen.
    private static final int STEADY = 8;

    private Warm() {}

    /// How a server is started.
    @FunctionalInterface
    public interface Starter {
        Product start(Path data, String... options) throws IOException;
    }

    public static WarmReport run(Amount plan, Starter servers)
            throws IOException, InterruptedException {
        var data = Files.createTempDirectory("caisson-warm-");
        var other = Files.createTempDirectory("caisson-warm-");
        try (var product = servers.start(data);
                var poolless = servers.start(other, "--set", NO_POOL)) {
            return measure(plan, product, poolless);
        } finally {
            delete(data);
            delete(other);
        }
    }

    private static WarmReport measure(Amount plan, Product product, Product poolless)
            throws IOException, InterruptedException {
        try (var warm = new Client(product);
                var cold = new Client(poolless)) {
            var rounds = new Interleaved(warm, cold);
            rounds.play(plan.warmUp(), false);
            var before = stages(warm);
            rounds.play(plan.rounds(), true);
            var stages = between(before, stages(warm));
            rounds.awaitFull();
            var mib = new Inhabitants(product).waitingMib();
            var bare = Crowd.bare(plan.clients(), plan.sustained());
            var sustained = Crowd.sustained(product, plan.clients(), plan.sustained());
            var burst = Crowd.burst(product, plan.burst());
            return new WarmReport(
                    plan, rounds, stages, mib, bare, sustained, burst, soak(plan, product));
        }
    }

    /// What is different after many runs, though the server had time to tidy up.
    private static Map<String, String> soak(Amount plan, Product product)
            throws IOException, InterruptedException {
        var inhabitants = new Inhabitants(product);
        var before = settled(inhabitants, Map.of());
        var runs = Crowd.many(product, plan.clients(), plan.soak());
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

    /// Sum and count of each stage of the server's runs so far.
    private static Map<String, double[]> stages(Client client) throws IOException {
        Map<String, double[]> stages = new LinkedHashMap<>();
        var count = client.metric("caisson_run_stage_seconds_count");
        client.metric("caisson_run_stage_seconds_sum")
                .forEach((stage, sum) ->
                        stages.put(stage, new double[] {sum, count.getOrDefault(stage, 0.0)}));
        return stages;
    }

    /// The mean of each stage in milliseconds.
    private static Map<String, Double> between(
            Map<String, double[]> before, Map<String, double[]> after) {
        Map<String, Double> means = new LinkedHashMap<>();
        after.forEach((stage, now) -> {
            var then = before.getOrDefault(stage, new double[2]);
            if (now[1] > then[1]) {
                var word = stage.replaceAll(".*=\"|\"", "");
                means.put(word, 1e3 * (now[0] - then[0]) / (now[1] - then[1]));
            }
        });
        return means;
    }

    private static void delete(Path directory) throws IOException {
        try (var files = Files.walk(directory)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}

package dev.caisson.acceptance.bench.warm;

import dev.caisson.acceptance.product.Product;
import java.io.IOException;
import java.time.Duration;

/// Runs per second of clients that never pause, beside bare processes directly before.
record Throughput(int clients, Crowd bare, Crowd ours) {
    /// More bare processes at once than this only wait for each other.
    private static final int BARE_MAX = 8;

    static Throughput measure(Product product, int clients, Duration time)
            throws IOException, InterruptedException {
        var bare = Crowd.bare(Math.min(clients, BARE_MAX), time);
        return new Throughput(clients, bare, Crowd.sustained(product, clients, time));
    }

    double ratio() {
        return ours.perSecond() / bare.perSecond();
    }
}

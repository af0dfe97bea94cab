package dev.caisson.acceptance.bench.warm;

import dev.caisson.acceptance.product.Product;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Cost of the ledger: calls per second of a tool that does next to nothing, by clients that never
/// pause, on a server that keeps the ledger and on one that does not, in turns. The turn in the
/// middle of each counts.
record LedgerCost(double with, double without) {
    static final LedgerCost UNKNOWN = new LedgerCost(Double.NaN, Double.NaN);

    private static final String NO_LEDGER = "ledger.enabled=false";
    private static final int CLIENTS = 8;
    private static final int TURNS = 5;

    static LedgerCost measure(Warm.Starter servers, Scratch scratch, Duration time)
            throws IOException, InterruptedException {
        try (var on = servers.start(scratch.directory());
                var off = servers.start(scratch.directory(), "--set", NO_LEDGER)) {
            for (var product : List.of(on, off)) {
                rate(product, time);
            }
            var with = new ArrayList<Double>();
            var without = new ArrayList<Double>();
            for (int turn = 0; turn < TURNS; turn++) {
                without.add(rate(off, time.dividedBy(TURNS)));
                with.add(rate(on, time.dividedBy(TURNS)));
            }
            return new LedgerCost(middle(with), middle(without));
        }
    }

    private static double rate(Product product, Duration time)
            throws IOException, InterruptedException {
        var calls = Crowd.calling(product, CLIENTS, time);
        if (calls.failed() > 0) {
            throw new IOException("a call failed: " + calls.why());
        }
        return calls.perSecond();
    }

    private static double middle(List<Double> rates) {
        return rates.stream().sorted().skip(rates.size() / 2).findFirst().orElseThrow();
    }

    double ratio() {
        return with / without;
    }
}

package dev.caisson.acceptance.bench.warm;

import dev.caisson.acceptance.product.Product;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Measures all of it, on servers of its own.
public final class Warm {
    private static final String NO_POOL = "sandbox.pool_memory_bytes=0B";

    private Warm() {}

    /// How servers are started.
    public interface Starter {
        Product start(Path data, String... options) throws IOException;

        /// On the data of another that has stopped.
        Product again(Path data, Product other) throws IOException;

        /// Without a recorded start-up cache.
        Product uncached(Path data) throws IOException;
    }

    public static WarmReport run(Amount plan, Starter servers)
            throws IOException, InterruptedException {
        try (var scratch = Scratch.open()) {
            var report = new WarmReport(plan);
            try (var product = servers.start(scratch.directory());
                    var poolless = servers.start(scratch.directory(), "--set", NO_POOL)) {
                report.pairs(pairs(plan, product, poolless));
            }
            try (var product = servers.start(scratch.directory())) {
                measure(plan, product, report);
            }
            report.ledger(LedgerCost.measure(servers, scratch, plan.sustained()));
            report.growth(Growth.ofExecutions(servers, scratch, plan));
            report.startUp(
                    StartUp.measure(servers::start, servers::uncached, scratch, plan.starts()));
            return report;
        }
    }

    private static void measure(Amount plan, Product product, WarmReport report)
            throws IOException, InterruptedException {
        try (var client = new Client(product)) {
            for (int run = 0; run < plan.warmUp(); run++) {
                client.executeWell(Row.PYTHON);
            }
            report.cpu(
                    MachineCpu.of(() -> client.executeWell(Row.PYTHON), plan.cpuRuns()),
                    MachineCpu.of(() -> BareProcess.nanos(Row.Bare.PYTHON), plan.cpuRuns()));
        }
        Settling.awaitPool(product);
        report.waiting(new Inhabitants(product).waitingMib());
        var rates = new ArrayList<Throughput>();
        for (int clients : plan.clients()) {
            rates.add(Throughput.measure(product, clients, plan.sustained()));
        }
        report.throughput(rates);
        report.burst(Crowd.burst(product, plan.burst()));
        report.left(Settling.leftAfter(product, plan));
        report.growth(Growth.ofThreads(product, plan));
    }

    private static List<Pairs> pairs(Amount plan, Product product, Product poolless)
            throws IOException, InterruptedException {
        var all = new ArrayList<Pairs>();
        try (var warm = new Client(product);
                var cold = new Client(poolless)) {
            for (var row : Row.all()) {
                var client = row.cold() ? cold : warm;
                for (int run = 0; run < plan.warmUp(); run++) {
                    client.executeWell(row);
                    BareProcess.nanos(row.bare());
                }
                for (var pace : Pace.values()) {
                    all.add(Pairs.measure(client, row, pace, plan.rounds()));
                }
            }
        }
        return all;
    }
}

package dev.caisson.acceptance.bench.warm;

import dev.caisson.acceptance.product.Product;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

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
            report.compared(compared(plan, servers, scratch, Row.warm()));
            report.compared(compared(plan, servers, scratch, List.of(Row.COLD), NO_POOL));
            if (plan.packages()) {
                withPackages(plan, servers, scratch, report);
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

    /// Every row by every maker of sandboxes, each on a server of its own.
    private static List<Comparison> compared(
            Amount plan, Starter servers, Scratch scratch, List<Row> rows, String... settings)
            throws IOException, InterruptedException {
        try (var nest = servers.start(scratch.directory(), options(Maker.NEST, settings));
                var other =
                        servers.start(scratch.directory(), options(Maker.BUBBLEWRAP, settings));
                var ofNest = new Client(nest);
                var ofOther = new Client(other)) {
            var clients = new EnumMap<Maker, Client>(Maker.class);
            clients.put(Maker.NEST, ofNest);
            clients.put(Maker.BUBBLEWRAP, ofOther);
            return compared(plan, clients, rows);
        }
    }

    private static List<Comparison> compared(
            Amount plan, Map<Maker, Client> clients, List<Row> rows)
            throws IOException, InterruptedException {
        var all = new ArrayList<Comparison>();
        for (var row : rows) {
            for (int run = 0; run < plan.warmUp(); run++) {
                BareProcess.nanos(row.bare());
                for (var client : clients.values()) {
                    client.executeWell(row);
                }
            }
            for (var pace : Pace.values()) {
                int rounds = row.isLate() ? plan.lateRounds() : plan.rounds();
                all.add(Comparison.measure(clients, row, pace, rounds));
            }
        }
        return all;
    }

    private static String[] options(Maker maker, String... settings) {
        var words = new ArrayList<>(maker.options());
        for (var setting : settings) {
            words.addAll(List.of("--set", setting));
        }
        return words.toArray(String[]::new);
    }

    /// As a server is without any setting; where no registry has the packages, it says so.
    private static void withPackages(
            Amount plan, Starter servers, Scratch scratch, WarmReport report)
            throws IOException, InterruptedException {
        try (var product = servers.start(scratch.directory(), "--set", Product.WITH_PACKAGES);
                var client = new Client(product)) {
            var failure = Settling.awaitPackages(client);
            if (failure.isPresent()) {
                report.withoutPackages(failure.get());
                return;
            }
            report.compared(compared(plan, Map.of(Maker.NEST, client), Row.withPackages()));
            report.cpu(
                    WarmReport.A_RUN_WITH_PACKAGES,
                    MachineCpu.of(() -> client.executeWell(Row.PACKAGES), plan.cpuRuns()));
            Settling.awaitPool(product);
            new Inhabitants(product)
                    .waiting()
                    .forEach((what, each) -> {
                        if (what.contains("python3")) {
                            report.waiting(what + ", with packages", each);
                        }
                    });
        }
    }

    private static void measure(Amount plan, Product product, WarmReport report)
            throws IOException, InterruptedException {
        try (var client = new Client(product)) {
            // Only who has run something has sandboxes that wait in nests of its own.
            for (var row : Row.languages()) {
                client.executeWell(row);
                Settling.awaitPool(product);
            }
            new Inhabitants(product).waiting().forEach(report::waiting);
            for (int run = 0; run < plan.warmUp(); run++) {
                client.executeWell(Row.PYTHON);
            }
            report.cpu(
                    WarmReport.A_RUN,
                    MachineCpu.of(() -> client.executeWell(Row.PYTHON), plan.cpuRuns()));
            report.cpu(
                    WarmReport.A_BARE_PROCESS,
                    MachineCpu.of(() -> BareProcess.nanos(Row.Bare.PYTHON), plan.cpuRuns()));
        }
        var rates = new ArrayList<Throughput>();
        for (int clients : plan.clients()) {
            rates.add(Throughput.measure(product, clients, plan.sustained()));
        }
        report.throughput(rates);
        Settling.awaitPool(product);
        report.burst(Crowd.burst(product, plan.burst()));
        report.left(Settling.leftAfter(product, plan));
        report.growth(Growth.ofThreads(product, plan));
    }
}

package dev.caisson.ledger;

import dev.caisson.json.Json;
import dev.caisson.store.DurablePostgres;
import dev.caisson.store.Store;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;

/// How many entries a second become durable, on both databases and with few and many callers.
/// Interleaved rounds in one run; the best round of each counts, because the others only say what
/// else the machine was doing.
///
/// Usage: `LedgerBench [--json]`.
public final class LedgerBench {
    private static final List<Integer> CALLERS = List.of(1, 64, 512);
    private static final int ROUNDS = 3;
    private static final Duration ROUND = Duration.ofSeconds(2);

    private LedgerBench() {}

    static void main(String[] arguments) throws Exception {
        var directory = Files.createTempDirectory("ledger-bench");
        var results = new LinkedHashMap<String, Map<Integer, Long>>();
        try (var server = new DurablePostgres();
                var sqlite = Store.open(directory.resolve("caisson.db"));
                var postgres = Store.open(server.url())) {
            var ledgers = new LinkedHashMap<String, Ledger>();
            ledgers.put("sqlite", new Ledger(sqlite));
            ledgers.put("postgresql", new Ledger(postgres));
            measure(ledgers, results);
            for (var ledger : ledgers.values()) {
                if (!ledger.verify(Optional.empty()).intact()) {
                    throw new IllegalStateException("the chain is broken");
                }
            }
        } finally {
            erase(directory);
        }
        var json = Arrays.asList(arguments).contains("--json");
        System.out.print(json ? Json.pretty(Json.tree(results)) + "\n" : table(results));
    }

    private static void measure(
            Map<String, Ledger> ledgers, Map<String, Map<Integer, Long>> results)
            throws InterruptedException {
        for (var ledger : ledgers.values()) {
            perSecond(ledger, 64);
        }
        for (var round = 0; round < ROUNDS; round++) {
            for (var callers : CALLERS) {
                for (var ledger : ledgers.entrySet()) {
                    var rate = perSecond(ledger.getValue(), callers);
                    results.computeIfAbsent(ledger.getKey(), _ -> new LinkedHashMap<>())
                            .merge(callers, rate, Math::max);
                }
            }
        }
    }

    private static long perSecond(Ledger ledger, int callers) throws InterruptedException {
        var done = new LongAdder();
        var start = System.nanoTime();
        var until = start + ROUND.toNanos();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var i = 0; i < callers; i++) {
                threads.execute(() -> {
                    while (System.nanoTime() - until < 0) {
                        ledger.append(LedgerTest.entry("key:0123456789abcdef", "sandbox_execute"));
                        done.increment();
                    }
                });
            }
        }
        return done.sum() * Duration.ofSeconds(1).toNanos() / (System.nanoTime() - start);
    }

    private static String table(Map<String, Map<Integer, Long>> results) {
        var table = new StringBuilder("durable ledger appends per second\n");
        table.append("%-12s".formatted("callers"));
        CALLERS.forEach(callers -> table.append("%10d".formatted(callers)));
        results.forEach((name, rates) -> {
            table.append("\n%-12s".formatted(name));
            rates.values().forEach(rate -> table.append("%10d".formatted(rate)));
        });
        return table.append('\n').toString();
    }

    private static void erase(Path directory) throws Exception {
        try (var files = Files.list(directory)) {
            for (var file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }
}

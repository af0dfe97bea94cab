package dev.caisson.acceptance.bench.warm;

import dev.caisson.acceptance.product.Product;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Cost of a run on a server that keeps much.
///
/// @param what is kept
/// @param count of them
/// @param runs of a program without a thread
/// @param cpu of a run, on the whole machine
/// @param list milliseconds of the first page of executions
record Growth(String what, int count, Comparison runs, MachineCpu cpu, double list) {
    private static final double MEDIAN = 0.5;
    private static final int LISTS = 20;

    /// Executions are copies of one that ran; a million of them would take a day to run.
    static List<Growth> ofExecutions(Warm.Starter servers, Scratch scratch, Amount plan)
            throws IOException, InterruptedException {
        var all = new ArrayList<Growth>();
        var data = scratch.directory();
        Product first = servers.start(data);
        try (first;
                var client = new Client(first)) {
            client.executeWell(Row.PYTHON);
        }
        for (int count : plan.stored()) {
            fill(data.resolve("caisson.db"), count);
            try (var product = servers.again(data, first)) {
                all.add(measure("stored executions", count, product, plan));
            }
        }
        return all;
    }

    static List<Growth> ofThreads(Product product, Amount plan)
            throws IOException, InterruptedException {
        var all = new ArrayList<Growth>();
        int made = 0;
        for (int count : plan.threads()) {
            try (var client = new Client(product)) {
                for (; made < count; made++) {
                    client.executeWell(Row.inThread("growth-" + made));
                }
            }
            all.add(measure("stored threads", count, product, plan));
        }
        return all;
    }

    private static Growth measure(String what, int count, Product product, Amount plan)
            throws IOException, InterruptedException {
        try (var client = new Client(product)) {
            for (int run = 0; run < plan.warmUp(); run++) {
                client.executeWell(Row.PYTHON);
            }
            var runs =
                    Comparison.measure(
                            Map.of(Maker.NEST, client), Row.PYTHON, Pace.CLOSE, plan.rounds());
            var cpu = MachineCpu.of(() -> client.executeWell(Row.PYTHON), plan.cpuRuns());
            var lists = new Times();
            for (int list = 0; list < LISTS; list++) {
                lists.add(client.list());
            }
            return new Growth(what, count, runs, cpu, lists.millis(MEDIAN));
        }
    }

    private static void fill(Path database, int count) throws IOException, InterruptedException {
        var script = Files.createTempFile("caisson-fill-", ".py");
        try (InputStream text = Growth.class.getResourceAsStream("fill.py")) {
            Files.write(script, Objects.requireNonNull(text).readAllBytes());
            var process =
                    new ProcessBuilder(
                                    "/usr/bin/python3",
                                    script.toString(),
                                    database.toString(),
                                    Integer.toString(count))
                            .redirectErrorStream(true)
                            .start();
            var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IOException("the database could not be filled: " + said);
            }
        } finally {
            Files.delete(script);
        }
    }
}

package dev.caisson.acceptance.bench;

import dev.caisson.acceptance.JavaProgram;
import dev.caisson.acceptance.Json;
import dev.caisson.acceptance.bench.warm.Amount;
import dev.caisson.acceptance.bench.warm.Warm;
import dev.caisson.acceptance.judge.Repository;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// `bench protocol [--json]`: our server beside the MCP Java SDK's. `bench run [--json] [--quick]`:
/// programs over HTTP, in sandboxes that wait, beside bare processes.
public final class Bench {
    /// How much is measured.
    record Plan(
            int rounds, Duration round, Duration warmUp, List<Integer> connections, int streams) {
        static final Plan FULL =
                new Plan(
                        3,
                        Duration.ofMillis(1200),
                        Duration.ofSeconds(3),
                        List.of(1, 16, 256),
                        5000);
    }

    /// The launcher's own flags, and for both the same heap.
    private static final String[] FLAGS = {"-Xmx512m", "-Xms64m", "-XX:+UseCompactObjectHeaders"};

    private Bench() {}

    public static void main(String[] arguments) throws Exception {
        var words = List.of(arguments);
        boolean json = words.contains("--json");
        System.out.print(
                switch (words.isEmpty() ? "" : words.getFirst()) {
                    case "protocol" -> {
                        var report = run(Plan.FULL);
                        yield json ? Json.pretty(report.json()) + "\n" : report.table();
                    }
                    case "run" -> {
                        var plan = words.contains("--quick") ? Amount.QUICK : Amount.FULL;
                        var report = Warm.run(plan, Servers.LAUNCHED);
                        yield json ? Json.pretty(report.json()) + "\n" : report.table();
                    }
                    default -> usage();
                });
        System.exit(0);
    }

    private static String usage() {
        System.err.println("usage: bench protocol|run|cold|door|store [--json] [--quick]");
        System.exit(2);
        return "";
    }

    static Report run(Plan plan) throws IOException, InterruptedException {
        Map<Integer, Map<String, Sample>> samples = new LinkedHashMap<>();
        try (var sdk = JavaProgram.start(SdkServer.class, FLAGS);
                var ours = ours()) {
            var contestants = contestants(port(sdk), port(ours), admission(ours));
            Rounds.best(contestants, 16, 1, plan.warmUp());
            for (int connections : plan.connections()) {
                samples.put(
                        connections,
                        Rounds.best(contestants, connections, plan.rounds(), plan.round()));
            }
        }
        // A server of its own: the one above has already grown for the load it had.
        try (var fresh = ours()) {
            var port = port(fresh);
            var kib =
                    IdleStreams.kibPerStream(
                            fresh, port, Contest.listening(port, admission(fresh)), plan.streams());
            return new Report(samples, kib, plan.streams());
        }
    }

    /// It asks for keys and checks schemas, as the product does.
    private static JavaProgram ours() throws IOException {
        return JavaProgram.start(
                JavaProgram.command(
                        Repository.fixtureClassPath(), "dev.caisson.fixture.ContestServer", FLAGS));
    }

    private static List<Contest> contestants(int sdk, int ours, Map<String, String> admission)
            throws IOException {
        var contestants = new ArrayList<Contest>();
        contestants.add(Contest.legacy(Report.SDK, sdk, Map.of()));
        contestants.add(Contest.legacy(Report.LEGACY, ours, admission));
        contestants.add(Contest.modern(Report.MODERN, ours, admission));
        return contestants;
    }

    private static int port(JavaProgram server) {
        return Integer.parseInt(server.said().getOrDefault("port", ""));
    }

    private static Map<String, String> admission(JavaProgram server) {
        return Map.of("Authorization", "Bearer " + server.said().getOrDefault("key", ""));
    }
}

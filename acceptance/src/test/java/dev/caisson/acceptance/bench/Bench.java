package dev.caisson.acceptance.bench;

import dev.caisson.acceptance.JavaProgram;
import dev.caisson.json.Json;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// `bench protocol [--json]`: our server beside the MCP Java SDK's.
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

    private static final String[] HEAP = {"-Xmx512m", "-Xms64m"};

    private Bench() {}

    public static void main(String[] arguments) throws Exception {
        var words = List.of(arguments);
        if (words.isEmpty() || !words.getFirst().equals("protocol")) {
            System.err.println("usage: bench protocol [--json]");
            System.exit(2);
        }
        var report = run(Plan.FULL);
        System.out.print(
                words.contains("--json") ? Json.pretty(report.json()) + "\n" : report.table());
    }

    static Report run(Plan plan) throws IOException, InterruptedException {
        Map<Integer, Map<String, Sample>> samples = new LinkedHashMap<>();
        try (var sdk = JavaProgram.start(SdkServer.class, HEAP);
                var ours = JavaProgram.start(OurServer.class, HEAP)) {
            var contestants = contestants(port(sdk), port(ours), admission(ours));
            Rounds.best(contestants, 16, 1, plan.warmUp());
            for (int connections : plan.connections()) {
                samples.put(
                        connections,
                        Rounds.best(contestants, connections, plan.rounds(), plan.round()));
            }
        }
        // A server of its own: the one above has already grown for the load it had.
        try (var fresh = JavaProgram.start(OurServer.class, HEAP)) {
            var port = port(fresh);
            var kib =
                    IdleStreams.kibPerStream(
                            fresh.pid(),
                            port,
                            Contest.listening(port, admission(fresh)),
                            plan.streams());
            return new Report(samples, kib, plan.streams());
        }
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

package dev.caisson.acceptance.bench.warm;

import java.time.Duration;
import java.util.List;

/// How much is measured.
///
/// @param warmUp runs of a row before the first that counts
/// @param rounds pairs of a bare process and a run, for each row and pace
/// @param cpuRuns over which the CPU time of the whole machine is read
/// @param clients numbers of clients of the sustained load
/// @param sustained for how long they run, and bare processes before them
/// @param burst runs asked for at once
/// @param starts of the server with its start-up cache, and as many without
/// @param stored numbers of stored executions
/// @param threads numbers of stored threads
/// @param soak runs after which nothing may be left
public record Amount(
        int warmUp,
        int rounds,
        int cpuRuns,
        List<Integer> clients,
        Duration sustained,
        int burst,
        int starts,
        List<Integer> stored,
        List<Integer> threads,
        int soak) {
    public static final Amount FULL =
            new Amount(
                    40,
                    150,
                    300,
                    List.of(1, 8, 64, 256),
                    Duration.ofSeconds(10),
                    100,
                    5,
                    List.of(10, 10_000, 1_000_000),
                    List.of(10, 100, 1_000),
                    2_000);
    public static final Amount QUICK =
            new Amount(
                    2,
                    5,
                    5,
                    List.of(1, 4),
                    Duration.ofSeconds(1),
                    20,
                    1,
                    List.of(10, 1_000),
                    List.of(2),
                    40);
}

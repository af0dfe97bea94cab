package dev.caisson.acceptance.bench.warm;

import java.time.Duration;
import java.util.List;

/// How much is measured.
///
/// @param warmUp runs of a row before the first that counts
/// @param rounds comparisons of a row at a pace
/// @param lateRounds the same of the rows whose p99 is a goal: of fewer, the p99 is the slowest
/// @param cpuRuns over which the CPU time of the whole machine is read
/// @param clients numbers of clients of the sustained load
/// @param sustained for how long they run, and bare processes as long, in turns
/// @param burst runs asked for at once
/// @param starts of the server with its start-up cache, and as many without
/// @param stored numbers of stored executions
/// @param threads numbers of stored threads
/// @param soak runs after which nothing may be left
/// @param packages whether rows are measured with the packages that a server makes ready by default
public record Amount(
        int warmUp,
        int rounds,
        int lateRounds,
        int cpuRuns,
        List<Integer> clients,
        Duration sustained,
        int burst,
        int starts,
        List<Integer> stored,
        List<Integer> threads,
        int soak,
        boolean packages) {
    /// Takes a quarter of an hour.
    public static final Amount FULL =
            new Amount(
                    40,
                    100,
                    500,
                    300,
                    List.of(1, 8, 64, 256),
                    Duration.ofSeconds(10),
                    100,
                    5,
                    List.of(10, 10_000, 1_000_000),
                    List.of(10, 100, 1_000),
                    2_000,
                    true);

    /// Takes four minutes.
    public static final Amount QUICK =
            new Amount(
                    15,
                    20,
                    120,
                    100,
                    List.of(1, 8, 64, 256),
                    Duration.ofSeconds(3),
                    100,
                    1,
                    List.of(10, 10_000),
                    List.of(10),
                    1_200,
                    true);

    /// Shows that all of it works, and nothing else.
    public static final Amount TRIAL =
            new Amount(
                    2,
                    3,
                    5,
                    5,
                    List.of(1, 4),
                    Duration.ofSeconds(1),
                    20,
                    1,
                    List.of(10, 1_000),
                    List.of(2),
                    40,
                    false);
}

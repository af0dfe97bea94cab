package dev.caisson.acceptance.bench.warm;

import java.time.Duration;

/// How much is measured.
///
/// @param warmUp rounds before the first that counts
/// @param rounds of one run per row
/// @param clients of the sustained load
/// @param sustained for how long they run, and bare processes before them
/// @param burst runs asked for at once
/// @param soak runs after which nothing may be left
public record Amount(int warmUp, int rounds, int clients, Duration sustained, int burst, int soak) {
    public static final Amount FULL = new Amount(40, 200, 8, Duration.ofSeconds(30), 100, 2_000);
    public static final Amount QUICK = new Amount(2, 6, 4, Duration.ofSeconds(2), 20, 40);
}

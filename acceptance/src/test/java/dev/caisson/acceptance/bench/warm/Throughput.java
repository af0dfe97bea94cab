package dev.caisson.acceptance.bench.warm;

import dev.caisson.acceptance.product.Product;
import java.io.IOException;
import java.time.Duration;

/// Runs per second of clients that never pause, in turns with bare processes.
///
/// @param bareCpu of all bare processes, on the whole machine
/// @param cpu of all runs, with that of the clients
record Throughput(int clients, Crowd bare, Crowd ours, MachineCpu bareCpu, MachineCpu cpu) {
    /// More bare processes at once than this only wait for each other.
    private static final int BARE_MAX = 8;

    private static final int TURNS = 4;

    /// @param time for runs, and as much for bare processes
    static Throughput measure(Product product, int clients, Duration time)
            throws IOException, InterruptedException {
        var all =
                new Throughput(
                        clients, Crowd.NOBODY, Crowd.NOBODY, MachineCpu.NONE, MachineCpu.NONE);
        for (int turn = 0; turn < TURNS; turn++) {
            all = all.and(turn(product, clients, time.dividedBy(TURNS)));
        }
        return all;
    }

    private static Throughput turn(Product product, int clients, Duration time)
            throws IOException, InterruptedException {
        var turn = new Crowd[2];
        var bareCpu =
                MachineCpu.during(() -> turn[0] = Crowd.bare(Math.min(clients, BARE_MAX), time));
        var cpu = MachineCpu.during(() -> turn[1] = Crowd.sustained(product, clients, time));
        return new Throughput(clients, turn[0], turn[1], bareCpu, cpu);
    }

    private Throughput and(Throughput later) {
        return new Throughput(
                clients,
                bare.and(later.bare),
                ours.and(later.ours),
                bareCpu.and(later.bareCpu),
                cpu.and(later.cpu));
    }

    double ratio() {
        return ours.perSecond() / bare.perSecond();
    }

    /// Milliseconds of a run, those that failed among them.
    double cpuPerRun() {
        return cpu.all() / (ours.times().count() + ours.failed());
    }

    double cpuPerBare() {
        return bareCpu.all() / bare.times().count();
    }
}

package dev.caisson.acceptance.bench.warm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// CPU time of the whole machine: of user programs, system calls and kernel threads, which no
/// control group has. What the machine does anyway is read before and subtracted.
final class MachineCpu {
    private static final Path STAT = Path.of("/proc/stat");

    /// The columns of `/proc/stat` that are work: user, nice, system, interrupts.
    private static final List<Integer> WORK = List.of(1, 2, 3, 6, 7);

    private static final double MILLIS_PER_TICK = 10;
    private static final double IDLE_SECONDS = 2;

    /// What is torn down after an answer belongs to it.
    private static final double AFTERMATH_SECONDS = 1.5;

    private MachineCpu() {}

    interface Step {
        void run() throws IOException, InterruptedException;
    }

    /// Milliseconds of CPU time of one step.
    static double millis(Step step, int times) throws IOException, InterruptedException {
        sleep(IDLE_SECONDS);
        double quiet = ticks();
        sleep(IDLE_SECONDS);
        double perSecond = (ticks() - quiet) / IDLE_SECONDS;
        double before = ticks();
        long begun = System.nanoTime();
        for (int time = 0; time < times; time++) {
            step.run();
        }
        sleep(AFTERMATH_SECONDS);
        double seconds = (System.nanoTime() - begun) / 1e9;
        return (ticks() - before - perSecond * seconds) * MILLIS_PER_TICK / times;
    }

    private static double ticks() throws IOException {
        try (Stream<String> lines = Files.lines(STAT)) {
            var words = lines.findFirst().orElseThrow().split(" +", -1);
            return WORK.stream().mapToLong(column -> Long.parseLong(words[column])).sum();
        }
    }

    private static void sleep(double seconds) throws InterruptedException {
        Thread.sleep((long) (seconds * 1_000));
    }
}

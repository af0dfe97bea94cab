package dev.caisson.acceptance.bench.warm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// CPU time of one step on the whole machine, in milliseconds. What the machine does anyway is read
/// before and subtracted.
///
/// @param user of user programs
/// @param system of system calls and interrupts
/// @param kernelThreads of threads of the kernel, which no control group has: they tear down what
///   programs leave
record MachineCpu(double user, double system, double kernelThreads) {
    private static final Path PROC = Path.of("/proc");

    /// The columns of `/proc/stat` that are work: user and nice; system and interrupts.
    private static final List<Integer> USER = List.of(1, 2);

    private static final List<Integer> SYSTEM = List.of(3, 6, 7);

    /// The parent of all threads of the kernel.
    private static final String KERNEL = "2";

    private static final double MILLIS_PER_TICK = 10;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double IDLE_SECONDS = 2;

    /// What is torn down after an answer belongs to it.
    private static final double AFTERMATH_SECONDS = 1.5;

    static final MachineCpu NONE = new MachineCpu(0, 0, 0);
    static final MachineCpu UNKNOWN = new MachineCpu(Double.NaN, Double.NaN, Double.NaN);

    interface Step {
        void run() throws IOException, InterruptedException;
    }

    /// The CPU time of one step.
    static MachineCpu of(Step step, int times) throws IOException, InterruptedException {
        sleep(IDLE_SECONDS);
        var quiet = now();
        sleep(IDLE_SECONDS);
        var perSecond = now().minus(quiet, 1).dividedBy(IDLE_SECONDS);
        var before = now();
        long begun = System.nanoTime();
        for (int time = 0; time < times; time++) {
            step.run();
        }
        sleep(AFTERMATH_SECONDS);
        double seconds = (System.nanoTime() - begun) / 1e9;
        return now().minus(before, 1).minus(perSecond, seconds).dividedBy(times);
    }

    /// What the whole machine spends meanwhile, whoever asked for it.
    static MachineCpu during(Step step) throws IOException, InterruptedException {
        var before = now();
        step.run();
        return now().minus(before, 1);
    }

    MachineCpu and(MachineCpu more) {
        return minus(more, -1);
    }

    double all() {
        return user + system + kernelThreads;
    }

    String words() {
        return String.format(
                Locale.ROOT,
                "%.2f ms (user %.2f, system %.2f, kernel threads %.2f)",
                all(),
                user,
                system,
                kernelThreads);
    }

    private MachineCpu minus(MachineCpu other, double times) {
        return new MachineCpu(
                user - other.user * times,
                system - other.system * times,
                kernelThreads - other.kernelThreads * times);
    }

    MachineCpu dividedBy(double parts) {
        return new MachineCpu(user / parts, system / parts, kernelThreads / parts);
    }

    private static MachineCpu now() throws IOException {
        try (Stream<String> lines = Files.lines(PROC.resolve("stat"))) {
            var words = lines.findFirst().orElseThrow().split(" +", -1);
            double ofKernel = kernelThreadsMillis();
            return new MachineCpu(sum(words, USER), sum(words, SYSTEM) - ofKernel, ofKernel);
        }
    }

    private static double sum(String[] words, List<Integer> columns) {
        return columns.stream().mapToLong(column -> Long.parseLong(words[column])).sum()
                * MILLIS_PER_TICK;
    }

    /// Since the machine started. Those that end meanwhile take theirs along; few ever do.
    private static double kernelThreadsMillis() throws IOException {
        double nanos = 0;
        try (var processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (var process : processes) {
                nanos += kernelThreadNanos(process);
            }
        }
        return nanos / NANOS_PER_MILLI;
    }

    private static double kernelThreadNanos(Path process) {
        try {
            var stat = Files.readString(process.resolve("stat"));
            var afterName = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            if (!afterName[1].equals(KERNEL)) {
                return 0;
            }
            return Double.parseDouble(
                    Files.readString(process.resolve("schedstat")).split(" ", -1)[0]);
        } catch (IOException gone) {
            return 0;
        }
    }

    private static void sleep(double seconds) throws InterruptedException {
        Thread.sleep((long) (seconds * 1_000));
    }
}

package dev.caisson.acceptance.product;

import dev.caisson.acceptance.product.Visitor.Job;
import java.util.concurrent.ThreadLocalRandom;

/// A program that sleeps for minutes and can be told from every other on this machine, also from
/// outside its sandbox.
///
/// @param word an argument of its process that nobody else has
record Sleeper(String word) {
    static Sleeper fresh() {
        return new Sleeper(
                "600.%09d".formatted(ThreadLocalRandom.current().nextInt(1_000_000_000)));
    }

    Job job() {
        return Job.of("bash", "echo asleep; sleep " + word).seconds(120);
    }

    /// Whether the kernel still has it.
    boolean isThere() {
        return ProcessHandle.allProcesses()
                .anyMatch(process -> process.info().commandLine().filter(this::isMine).isPresent());
    }

    private boolean isMine(String command) {
        return command.endsWith("sleep " + word);
    }
}

package dev.caisson.runs;

import dev.caisson.config.Fixed;
import dev.caisson.sandbox.Limits;
import java.util.Optional;

/// The most that a call may ask for of each limit; what every run has where it is absent.
public record LimitMaxima(
        @Fixed("") Optional<Long> memoryBytes,
        @Fixed("") Optional<Double> cpus,
        @Fixed("") Optional<Integer> processes) {
    long memoryBytes(Limits usual) {
        return memoryBytes.orElse(usual.memoryBytes());
    }

    double cpus(Limits usual) {
        return cpus.orElse(usual.cpus());
    }

    int processes(Limits usual) {
        return processes.orElse(usual.processes());
    }
}

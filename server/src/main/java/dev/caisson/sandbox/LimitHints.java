package dev.caisson.sandbox;

import java.util.Map;

/// Environment variables that tell a program its own limits, so that libraries start as many
/// threads and take as much memory as the run has, not as the machine has.
///
/// `nproc` and the libraries for linear algebra follow `OMP_NUM_THREADS`.
final class LimitHints {
    private LimitHints() {}

    static Map<String, String> of(Limits limits) {
        var threads = Integer.toString(limits.threads());
        return Map.of(
                "OMP_NUM_THREADS",
                threads,
                "PYTHON_CPU_COUNT",
                threads,
                "GOMAXPROCS",
                threads,
                "NODE_OPTIONS",
                limits.nodeOptions(),
                "SANDBOX_CPUS",
                Double.toString(limits.cpus()),
                "SANDBOX_MEMORY_BYTES",
                Long.toString(limits.memoryBytes()));
    }
}

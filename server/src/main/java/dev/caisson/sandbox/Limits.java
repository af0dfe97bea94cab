package dev.caisson.sandbox;

import dev.caisson.config.Defaults;
import dev.caisson.config.Key;
import java.time.Duration;

/// Resource limits of one run. There is no run without them.
///
/// @param wall from hand-over to the end
/// @param memoryBytes of everything in the sandbox together, its `/tmp` and `/dev/shm` included;
///   swap cannot add to it
/// @param cpus cores' worth of time; 0.5 is half a core
/// @param processes and threads at once
/// @param openFiles per process
/// @param fileBytes size of one file
/// @param tmpBytes size of `/tmp`
public record Limits(
        @Key(
                        name = "sandbox.wall_default",
                        initial = "30s",
                        min = "100ms",
                        max = "1d",
                        doc = "How long a run may take when the caller does not say.")
                Duration wall,
        @Key(
                        name = "sandbox.memory_bytes",
                        initial = "512MiB",
                        min = "16MiB",
                        max = "1TiB",
                        doc = "Memory of one run, its /tmp included.")
                long memoryBytes,
        @Key(
                        name = "sandbox.cpus",
                        initial = "1.0",
                        min = "0.01",
                        max = "1024",
                        doc = "Cores' worth of time of a run.")
                double cpus,
        @Key(
                        name = "sandbox.processes",
                        initial = "128",
                        min = "4",
                        max = "100000",
                        doc = "Processes and threads of one run at once.")
                int processes,
        @Key(
                        name = "sandbox.open_files",
                        initial = "1024",
                        min = "16",
                        max = "1000000",
                        doc = "Open files of one process.")
                int openFiles,
        @Key(
                        name = "sandbox.file_bytes",
                        initial = "1GiB",
                        min = "1MiB",
                        max = "1TiB",
                        doc = "The largest single file.")
                long fileBytes,
        @Key(
                        name = "sandbox.tmp_bytes",
                        initial = "128MiB",
                        min = "1MiB",
                        max = "1TiB",
                        doc = "The size of /tmp.")
                long tmpBytes) {
    /// How many pseudo-terminals a sandbox has at once, whatever its limits. The kernel has 3,072
    /// for all of them unless it is told otherwise.
    public static final int TERMINALS_MAX = 16;

    public static final Limits DEFAULT = Defaults.of(Limits.class);

    public Limits {
        if (!wall.isPositive()) {
            throw new IllegalArgumentException("the wall time must be positive");
        }
        if (memoryBytes <= 0
                || cpus <= 0
                || processes <= 0
                || openFiles <= 0
                || fileBytes <= 0
                || tmpBytes <= 0) {
            throw new IllegalArgumentException("every limit must be positive");
        }
    }

    /// How many threads have something to do at once.
    public int threads() {
        return (int) Math.ceil(cpus);
    }

    /// Node cannot see the memory limit: it is told how large its heap may become, so that it
    /// collects before the kernel kills.
    public String nodeOptions() {
        return "--max-old-space-size=" + Math.max(1, memoryBytes >> 20);
    }

    public Limits withWall(Duration newWall) {
        return new Limits(newWall, memoryBytes, cpus, processes, openFiles, fileBytes, tmpBytes);
    }

    public Limits withMemory(long newBytes) {
        return new Limits(wall, newBytes, cpus, processes, openFiles, fileBytes, tmpBytes);
    }
}

package dev.caisson.sandbox;

import java.time.Duration;

/// What one run may use. There is no run without them.
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
        Duration wall,
        long memoryBytes,
        double cpus,
        int processes,
        int openFiles,
        long fileBytes,
        long tmpBytes) {
    public static final Limits DEFAULT =
            new Limits(Duration.ofSeconds(30), 512L << 20, 1.0, 128, 1024, 1L << 30, 128L << 20);

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

    public Limits withWall(Duration newWall) {
        return new Limits(newWall, memoryBytes, cpus, processes, openFiles, fileBytes, tmpBytes);
    }
}

package dev.caisson.rest;

import dev.caisson.json.Describe;
import java.util.List;
import java.util.Optional;

/// Status report of the server.
public record ServerStatus(
        String version,
        long uptimeS,
        Runs runs,
        @Describe("Sandboxes that wait for a program.") List<Pool> pool,
        Walls isolation,
        Kind store,
        long streamsOpen,
        LiveSessions sessions,
        @Describe("The disk of the data directory, and that of threads where it is another.")
                List<Disk> disks) {
    /// @param places how many programs can run at once
    public record Runs(int active, int waiting, int places) {}

    /// @param heldBytes of memory that they hold between calls, of `memoryBytes`
    public record LiveSessions(int alive, int most, long heldBytes, long memoryBytes) {}

    public record Disk(
            @Describe("The directory on it: data or threads.") String name,
            long totalBytes,
            long freeBytes,
            @Describe("When it is short of space.") Optional<String> warning) {}

    public record Pool(String runner, int ready, int target, long hits, long misses) {}

    public record Walls(String tier, List<Wall> layers) {}

    public record Wall(String name, boolean inForce, Optional<String> reason) {}

    public record Kind(String kind) {}
}

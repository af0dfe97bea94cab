package dev.caisson.rest;

import dev.caisson.json.Describe;
import java.util.List;
import java.util.Optional;

/// How the server is.
public record ServerStatus(
        String version,
        long uptimeS,
        Runs runs,
        @Describe("Sandboxes that wait for a program.") List<Pool> pool,
        Walls isolation,
        Kind store,
        long streamsOpen) {
    /// @param places how many programs can run at once
    public record Runs(int active, int waiting, int places) {}

    public record Pool(String runner, int ready, int target, long hits, long misses) {}

    public record Walls(String tier, List<Wall> layers) {}

    public record Wall(String name, boolean inForce, Optional<String> reason) {}

    public record Kind(String kind) {}
}

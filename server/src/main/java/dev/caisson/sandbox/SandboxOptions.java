package dev.caisson.sandbox;

import dev.caisson.config.Contradiction;
import dev.caisson.config.Key;
import dev.caisson.sandbox.SandboxSettings.UserRange;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/// Configurable part of [SandboxSettings]: places, users, the pool and what may be missing.
///
/// @param places how many sandboxes run at once
/// @param waitingMax how many calls may wait for a place
/// @param users the host's user ids that belong to sandboxes
/// @param acceptMissing layers this operator can do without
/// @param images a directory of images with a runner each
/// @param dockerHost accepted and not used
public record SandboxOptions(
        @Key(
                        name = "sandbox.concurrency",
                        initial = "16",
                        min = "1",
                        max = "1000",
                        doc = "Runs at once; more wait in a queue.")
                int places,
        @Key(
                        name = "sandbox.queue_max",
                        initial = "256",
                        min = "0",
                        max = "100000",
                        doc = "Runs that may wait for a place.")
                int waitingMax,
        PoolSettings pool,
        Sharing sharing,
        NestSettings nest,
        ParkingSettings parking,
        @Key(
                        name = "sandbox.accept_missing",
                        doc =
                                "Layers of isolation the operator does without, by name; see the list"
                                        + " below.")
                Set<Layer> acceptMissing,
        @Key(
                        name = "sandbox.image_directory",
                        doc = "A directory of images with a runner manifest each.")
                Optional<Path> images,
        UserRange users,
        @Key(
                        name = "sandbox.docker_host",
                        max = "1024",
                        alsoFrom = "DOCKER_HOST",
                        doc =
                                "Not used: no sandbox uses Docker. It is accepted because other"
                                        + " servers have it.")
                Optional<String> dockerHost) {
    public SandboxOptions {
        acceptMissing = Set.copyOf(acceptMissing);
        sharing = sharing.atLeast(pool.limits().memoryBytes());
        if (users.count() < places) {
            throw new Contradiction(
                    "sandbox.uid_count",
                    "is less than sandbox.concurrency",
                    "Every sandbox needs a user id of its own: raise it, or lower"
                            + " sandbox.concurrency.");
        }
    }
}

package dev.caisson.sandbox;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/// What the operator decides about sandboxes.
///
/// @param directory for sandboxes while they live; every user must be able to pass through it
/// @param guests the product's `guests` directory
/// @param images directories with runners of their own, one per image
/// @param places how many sandboxes run at once
/// @param waitingMax how many calls may wait for a place
/// @param waitMax how long they wait
/// @param users the host's user ids that belong to sandboxes
/// @param acceptMissing layers this operator can do without
/// @param controlGroups where control groups are mounted
/// @param pool of sandboxes that wait for a run
/// @param sharing of the machine between callers
public record SandboxSettings(
        Path directory,
        Path guests,
        Optional<Path> images,
        int places,
        int waitingMax,
        Duration waitMax,
        UserRange users,
        Set<Layer> acceptMissing,
        Path controlGroups,
        PoolSettings pool,
        Sharing sharing) {
    public static final int PLACES_DEFAULT = 16;
    public static final int PLACES_MAX = 1_000;
    public static final int WAITING_DEFAULT = 256;
    public static final Duration WAIT_DEFAULT = Duration.ofSeconds(30);

    /// Ids that no person and no service of this machine has.
    ///
    /// @param locks a directory all servers of this machine share, so that none uses another's id
    public record UserRange(Path locks, int first, int count) {
        public static final UserRange DEFAULT =
                new UserRange(Path.of("/run/caisson/users"), 200_000, 10_000);
    }

    public SandboxSettings {
        if (places < 1 || places > PLACES_MAX) {
            throw new IllegalArgumentException("places must be from 1 to " + PLACES_MAX);
        }
        if (waitingMax < 0 || waitMax.isNegative()) {
            throw new IllegalArgumentException("a queue cannot be shorter than empty");
        }
        acceptMissing = Set.copyOf(acceptMissing);
    }

    /// @param directory for sandboxes while they live
    public static SandboxSettings of(Path directory, Path guests) {
        return new SandboxSettings(
                directory,
                guests,
                Optional.empty(),
                PLACES_DEFAULT,
                WAITING_DEFAULT,
                WAIT_DEFAULT,
                UserRange.DEFAULT,
                Set.of(),
                Path.of("/sys/fs/cgroup"),
                PoolSettings.NONE,
                Sharing.DEFAULT);
    }

    public SandboxSettings withImages(Path directory) {
        return new SandboxSettings(
                this.directory,
                guests,
                Optional.of(directory),
                places,
                waitingMax,
                waitMax,
                users,
                acceptMissing,
                controlGroups,
                pool,
                sharing);
    }

    public SandboxSettings withControlGroups(Path root) {
        return new SandboxSettings(
                directory,
                guests,
                images,
                places,
                waitingMax,
                waitMax,
                users,
                acceptMissing,
                root,
                pool,
                sharing);
    }

    public SandboxSettings accepting(Set<Layer> missing) {
        return new SandboxSettings(
                directory,
                guests,
                images,
                places,
                waitingMax,
                waitMax,
                users,
                missing,
                controlGroups,
                pool,
                sharing);
    }

    public SandboxSettings withPool(PoolSettings newPool) {
        return new SandboxSettings(
                directory,
                guests,
                images,
                places,
                waitingMax,
                waitMax,
                users,
                acceptMissing,
                controlGroups,
                newPool,
                sharing);
    }

    public SandboxSettings withSharing(Sharing newSharing) {
        return new SandboxSettings(
                directory,
                guests,
                images,
                places,
                waitingMax,
                waitMax,
                users,
                acceptMissing,
                controlGroups,
                pool,
                newSharing);
    }
}

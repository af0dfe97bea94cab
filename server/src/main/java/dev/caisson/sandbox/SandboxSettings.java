package dev.caisson.sandbox;

import dev.caisson.config.Defaults;
import dev.caisson.config.Fixed;
import dev.caisson.config.Key;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/// Settings of the sandboxes: what the operator decides about them.
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
/// @param parking of runs that stand still
/// @param nest what makes sandboxes, and how they begin
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
        Sharing sharing,
        NestSettings nest,
        ParkingSettings parking) {
    public static final int PLACES_MAX = 1_000;

    private static final Duration WAIT_MAX = Duration.ofSeconds(30);
    private static final Path CONTROL_GROUPS = Path.of("/sys/fs/cgroup");

    /// Ids that no person and no service of this machine has.
    ///
    /// @param locks a directory all servers of this machine share, so that none uses another's id
    public record UserRange(
            @Fixed("/run/caisson/users") Path locks,
            @Key(
                            name = "sandbox.uid_base",
                            initial = "200000",
                            min = "1000",
                            max = "2000000000",
                            doc = "The first of the user ids that belong to sandboxes alone.")
                    int first,
            @Key(
                            name = "sandbox.uid_count",
                            initial = "10000",
                            min = "1",
                            max = "1000000",
                            doc = "How many user ids there are for sandboxes.")
                    int count) {
        public static final UserRange DEFAULT = Defaults.of(UserRange.class);
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
    public static SandboxSettings of(Path directory, Path guests, SandboxOptions options) {
        return of(directory, guests, options, options.pool());
    }

    private static SandboxSettings of(
            Path directory, Path guests, SandboxOptions options, PoolSettings pool) {
        return new SandboxSettings(
                directory,
                guests,
                options.images(),
                options.places(),
                options.waitingMax(),
                WAIT_MAX,
                options.users(),
                options.acceptMissing(),
                CONTROL_GROUPS,
                pool,
                options.sharing(),
                options.nest(),
                options.parking());
    }

    /// The defaults, with no pool.
    ///
    /// @param directory for sandboxes while they live
    public static SandboxSettings of(Path directory, Path guests) {
        return of(directory, guests, Defaults.of(SandboxOptions.class), PoolSettings.NONE);
    }
}

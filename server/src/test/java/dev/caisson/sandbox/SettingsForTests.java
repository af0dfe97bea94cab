package dev.caisson.sandbox;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/// Builder of [SandboxSettings] for tests: the usual ones, with what a test wants otherwise.
public final class SettingsForTests {
    private final SandboxSettings usual;
    private Optional<Path> images;
    private int places;
    private int waitingMax;
    private Duration waitMax;
    private Set<Layer> acceptMissing;
    private Path controlGroups;
    private PoolSettings pool;
    private Sharing sharing;
    private NestSettings nest;
    private ParkingSettings parking;
    private SandboxSettings.UserRange users;

    /// @param directory for sandboxes while they live
    public SettingsForTests(Path directory, Path guests) {
        usual = SandboxSettings.of(directory, guests);
        images = usual.images();
        places = usual.places();
        waitingMax = usual.waitingMax();
        waitMax = usual.waitMax();
        acceptMissing = usual.acceptMissing();
        controlGroups = usual.controlGroups();
        pool = usual.pool();
        sharing = usual.sharing();
        nest = usual.nest();
        parking = usual.parking();
        users = usual.users();
    }

    SettingsForTests images(Path directory) {
        images = Optional.of(directory);
        return this;
    }

    public SettingsForTests places(int count) {
        places = count;
        return this;
    }

    public SettingsForTests waiting(int most, Duration atMost) {
        waitingMax = most;
        waitMax = atMost;
        return this;
    }

    SettingsForTests accepting(Set<Layer> missing) {
        acceptMissing = missing;
        return this;
    }

    public SettingsForTests controlGroups(Path root) {
        controlGroups = root;
        return this;
    }

    SettingsForTests pool(PoolSettings wanted) {
        pool = wanted;
        return this;
    }

    public SettingsForTests sharing(Sharing wanted) {
        sharing = wanted;
        return this;
    }

    SettingsForTests parking(int most, long bytesMax) {
        parking = new ParkingSettings(most, bytesMax);
        return this;
    }

    public SettingsForTests nest(NestSettings wanted) {
        nest = wanted;
        return this;
    }

    SettingsForTests users(SandboxSettings.UserRange range) {
        users = range;
        return this;
    }

    public SandboxSettings build() {
        return new SandboxSettings(
                usual.directory(),
                usual.guests(),
                images,
                places,
                waitingMax,
                waitMax,
                users,
                acceptMissing,
                controlGroups,
                pool,
                sharing,
                nest,
                parking);
    }
}

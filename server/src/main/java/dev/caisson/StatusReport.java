package dev.caisson;

import dev.caisson.config.Version;
import dev.caisson.rest.ServerStatus;
import dev.caisson.sandbox.Isolation;
import dev.caisson.sandbox.Layer;
import dev.caisson.sandbox.PoolFigures;
import dev.caisson.sandbox.Sandboxes;
import dev.caisson.session.Sessions;
import dev.caisson.storage.Disks;
import dev.caisson.telemetry.Metrics;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// Status report of the server for its operator: load, pool, isolation, sessions, disks.
final class StatusReport {
    private final long started = System.nanoTime();
    private final Sandboxes sandboxes;
    private final Sessions sessions;
    private final Disks disks;
    private final Metrics metrics;
    private final String store;

    StatusReport(Config config, Core core) {
        this.sandboxes = core.services.sandboxes;
        this.sessions = core.services.sessions;
        this.disks = core.disks;
        this.metrics = core.metrics;
        this.store = config.data().databaseUrl().isPresent() ? "postgresql" : "sqlite";
    }

    ServerStatus now() {
        var load = sandboxes.load();
        return new ServerStatus(
                Version.TEXT,
                TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - started),
                new ServerStatus.Runs(load.running(), load.waiting(), load.places()),
                sandboxes.pool().stream().map(StatusReport::pool).toList(),
                walls(sandboxes.isolation()),
                new ServerStatus.Kind(store),
                (long) metrics.httpStreams().get(),
                new ServerStatus.LiveSessions(
                        sessions.active(),
                        sessions.limits().total(),
                        sessions.heldBytes(),
                        sessions.limits().memoryBytes()),
                disks.states().stream().map(StatusReport::disk).toList());
    }

    private static ServerStatus.Disk disk(Disks.State state) {
        return new ServerStatus.Disk(
                state.name(),
                state.space().totalBytes(),
                state.space().freeBytes(),
                state.warning());
    }

    private static ServerStatus.Pool pool(PoolFigures figures) {
        return new ServerStatus.Pool(
                figures.runner(),
                figures.ready(),
                figures.target(),
                figures.hits(),
                figures.misses());
    }

    private static ServerStatus.Walls walls(Isolation isolation) {
        return new ServerStatus.Walls(
                isolation.tier().word(),
                Arrays.stream(Layer.values()).map(layer -> wall(isolation, layer)).toList());
    }

    private static ServerStatus.Wall wall(Isolation isolation, Layer layer) {
        var reason = Optional.ofNullable(isolation.missing().get(layer));
        return new ServerStatus.Wall(layer.word(), reason.isEmpty(), reason);
    }
}

package dev.caisson;

import dev.caisson.config.Config;
import dev.caisson.config.Version;
import dev.caisson.rest.ServerStatus;
import dev.caisson.sandbox.Isolation;
import dev.caisson.sandbox.Layer;
import dev.caisson.sandbox.PoolFigures;
import dev.caisson.telemetry.Metrics;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// How the server is, for its operator.
final class Condition {
    private final long started = System.nanoTime();
    private final Workshop workshop;
    private final Metrics metrics;
    private final String store;

    Condition(Config config, Workshop workshop, Metrics metrics) {
        this.workshop = workshop;
        this.metrics = metrics;
        this.store = config.data().databaseUrl().isPresent() ? "postgresql" : "sqlite";
    }

    ServerStatus now() {
        var load = workshop.load();
        return new ServerStatus(
                Version.TEXT,
                TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - started),
                new ServerStatus.Runs(load.running(), load.waiting(), load.places()),
                workshop.pool().stream().map(Condition::pool).toList(),
                walls(workshop.isolation()),
                new ServerStatus.Kind(store),
                (long) metrics.httpStreams().get());
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

package dev.caisson.mcp.server;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/// Heartbeat timer for everything that must be looked at from time to time, so that a fast call
/// costs an entry in a set and no timer.
public final class Heartbeat implements AutoCloseable {
    private final Set<Runnable> watched = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService clock;

    Heartbeat(String name, Duration every) {
        clock =
                Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().daemon().name(name).factory());
        var _ =
                clock.scheduleAtFixedRate(
                        this::beat, every.toNanos(), every.toNanos(), TimeUnit.NANOSECONDS);
    }

    /// @param look must be quick, and must not block
    public void watch(Runnable look) {
        watched.add(look);
    }

    public void forget(Runnable look) {
        watched.remove(look);
    }

    private void beat() {
        watched.forEach(Heartbeat::look);
    }

    /// One that fails is not looked at again, and takes nobody along.
    private static void look(Runnable look) {
        try {
            look.run();
        } catch (RuntimeException e) {
            Thread.currentThread()
                    .getUncaughtExceptionHandler()
                    .uncaughtException(Thread.currentThread(), e);
        }
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}

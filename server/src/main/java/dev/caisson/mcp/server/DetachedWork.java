package dev.caisson.mcp.server;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Registry of calls whose work has a thread of its own and may outlive its request. What is under
/// way ends when the server stops.
final class DetachedWork {
    private final Map<Cancellation, Thread> underWay = new ConcurrentHashMap<>();

    /// Starts work that enters the cancellation itself.
    void start(String name, Cancellation stop, Runnable work) {
        var thread =
                Thread.ofVirtual()
                        .name(name)
                        .unstarted(() -> {
                            try {
                                work.run();
                            } finally {
                                underWay.remove(stop);
                            }
                        });
        underWay.put(stop, thread);
        thread.start();
    }

    /// Ends all of it, which shares the time.
    void close(Duration atMost) {
        var end = System.nanoTime() + atMost.toNanos();
        var threads = Map.copyOf(underWay);
        threads.keySet().forEach(Cancellation::cancel);
        try {
            for (var thread : threads.values()) {
                thread.join(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}

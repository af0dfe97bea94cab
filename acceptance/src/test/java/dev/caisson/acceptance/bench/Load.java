package dev.caisson.acceptance.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;

/// Many connections at once, each on a thread of its own.
final class Load {
    private Load() {}

    static Sample run(Contest contestant, int connections, Duration time)
            throws IOException, InterruptedException {
        var open = new ArrayList<LoadConnection>();
        int round = ThreadLocalRandom.current().nextInt(1000);
        try (var threads = Executors.newFixedThreadPool(connections)) {
            for (int i = 0; i < connections; i++) {
                open.add(new LoadConnection(contestant.port(), contestant.request(i, round)));
                open.getLast().once();
            }
            long start = System.nanoTime();
            long until = start + time.toNanos();
            List<Future<long[]>> running = new ArrayList<>();
            for (var connection : open) {
                running.add(threads.submit(() -> connection.run(until)));
            }
            var nanos = new ArrayList<long[]>();
            for (var one : running) {
                nanos.add(one.get());
            }
            return Sample.of(nanos, System.nanoTime() - start);
        } catch (ExecutionException e) {
            throw new IOException("a connection failed", e.getCause());
        } finally {
            for (var connection : open) {
                connection.close();
            }
        }
    }
}

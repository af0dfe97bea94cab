package dev.caisson.acceptance.bench.warm;

import dev.caisson.acceptance.product.Product;
import java.io.IOException;
import java.nio.file.Path;

/// Time from the start of a server to its first answer, with the start-up cache and without.
record StartUp(Times cached, Times plain) {
    private static final double MEDIAN = 0.5;

    /// How a server is started.
    @FunctionalInterface
    interface Starter {
        Product start(Path data) throws IOException;
    }

    static StartUp measure(Starter cached, Starter plain, Scratch scratch, int starts)
            throws IOException {
        var times = new StartUp(new Times(), new Times());
        for (int start = 0; start < starts; start++) {
            times.cached.add(firstAnswer(cached, scratch));
            times.plain.add(firstAnswer(plain, scratch));
        }
        return times;
    }

    private static long firstAnswer(Starter starter, Scratch scratch) throws IOException {
        long begun = System.nanoTime();
        try (var product = starter.start(scratch.directory());
                var client = new Client(product)) {
            client.executeWell(Row.PYTHON);
            return System.nanoTime() - begun;
        }
    }

    double ratio() {
        return cached.millis(MEDIAN) / plain.millis(MEDIAN);
    }
}

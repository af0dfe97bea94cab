package dev.caisson.acceptance.bench.warm;

import dev.caisson.acceptance.product.Product;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/// Many at once.
///
/// @param times of those that succeeded
/// @param failed those that did not
/// @param why one of them failed; empty when none did
/// @param warm how many found a sandbox that waited
record Crowd(Times times, int failed, String why, int warm, double seconds) {
    static final Crowd NOBODY = new Crowd(new Times(), 0, "", 0, 0);

    double perSecond() {
        return times.count() / seconds;
    }

    /// The two, one after the other.
    Crowd and(Crowd later) {
        return new Crowd(
                times.and(later.times),
                failed + later.failed,
                later.why.isEmpty() ? why : later.why,
                warm + later.warm,
                seconds + later.seconds);
    }

    /// Clients that each run one program after the other, until the time is over.
    static Crowd sustained(Product product, int clients, Duration time)
            throws IOException, InterruptedException {
        return of(clients, new Asking(product, _ -> true, System.nanoTime() + time.toNanos()));
    }

    /// As many clients as runs, all at once.
    static Crowd burst(Product product, int runs) throws IOException, InterruptedException {
        return of(runs, new Asking(product, count -> count <= runs, Long.MAX_VALUE));
    }

    /// A number of runs by a few clients.
    static Crowd many(Product product, int clients, int runs)
            throws IOException, InterruptedException {
        return of(clients, new Asking(product, count -> count <= runs, Long.MAX_VALUE));
    }

    /// Clients that each call a tool that does next to nothing, one call after the other.
    static Crowd calling(Product product, int clients, Duration time)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        var times = new Times();
        var failed = new AtomicInteger();
        return of(
                clients,
                new Work() {
                    @Override
                    public Void call() throws Exception {
                        try (var client = new Client(product)) {
                            long before = System.nanoTime();
                            while (before - end < 0) {
                                boolean good = client.callTrivial();
                                long now = System.nanoTime();
                                times.add(now - before);
                                failed.addAndGet(good ? 0 : 1);
                                before = now;
                            }
                        }
                        return null;
                    }

                    @Override
                    public Crowd result(double seconds) {
                        return new Crowd(times, failed.get(), "an error", 0, seconds);
                    }
                });
    }

    /// Bare processes instead, as many at once as clients.
    static Crowd bare(int clients, Duration time) throws IOException, InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        var times = new Times();
        return of(
                clients,
                new Work() {
                    @Override
                    public Void call() throws Exception {
                        while (System.nanoTime() - end < 0) {
                            times.add(BareProcess.nanos(Row.Bare.PYTHON));
                        }
                        return null;
                    }

                    @Override
                    public Crowd result(double seconds) {
                        return new Crowd(times, 0, "", 0, seconds);
                    }
                });
    }

    private interface Work extends Callable<Void> {
        Crowd result(double seconds);
    }

    private static Crowd of(int clients, Work work) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        try (var threads = Executors.newFixedThreadPool(clients)) {
            var all = new ArrayList<Callable<Void>>();
            for (int client = 0; client < clients; client++) {
                all.add(work);
            }
            for (var one : threads.invokeAll(all)) {
                one.get();
            }
        } catch (ExecutionException failed) {
            throw new IOException("a client failed", failed.getCause());
        }
        return work.result((System.nanoTime() - begun) / 1e9);
    }

    /// Which runs are still to be asked for.
    private interface More {
        boolean allows(int count);
    }

    private static final class Asking implements Work {
        private final Product product;
        private final More more;
        private final long end;
        private final Times times = new Times();
        private final AtomicInteger asked = new AtomicInteger();
        private final AtomicInteger failed = new AtomicInteger();
        private final AtomicInteger warm = new AtomicInteger();
        private volatile String why = "";

        Asking(Product product, More more, long end) {
            this.product = product;
            this.more = more;
            this.end = end;
        }

        @Override
        public Void call() throws Exception {
            try (var client = new Client(product)) {
                while (System.nanoTime() < end && more.allows(asked.incrementAndGet())) {
                    var timed = client.execute(Row.PYTHON);
                    if (timed.isGood()) {
                        times.add(timed.nanos());
                        warm.addAndGet(timed.isWarm() ? 1 : 0);
                    } else {
                        failed.incrementAndGet();
                        why = timed.answer();
                    }
                }
            }
            return null;
        }

        @Override
        public Crowd result(double seconds) {
            return new Crowd(times, failed.get(), why, warm.get(), seconds);
        }
    }
}

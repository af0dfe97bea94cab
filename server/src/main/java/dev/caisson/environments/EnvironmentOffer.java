package dev.caisson.environments;

import dev.caisson.sandbox.PackageEnvironment;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Offer of environments to sandboxes, renewed whenever there are others. Another process on the
/// same database may bake or remove one: a look from time to time finds it.
final class EnvironmentOffer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EnvironmentOffer.class);
    private static final Duration LOOK = Duration.ofSeconds(2);

    /// What there is at one moment.
    record Stock(List<PackageEnvironment> there, List<PackageEnvironment.Missing> missing) {
        static final Stock EMPTY = new Stock(List.of(), List.of());

        Stock {
            there = List.copyOf(there);
            missing = List.copyOf(missing);
        }

        private Map<String, String> told() {
            var told = new LinkedHashMap<String, String>();
            there.forEach(each -> told.put(each.name(), each.hash()));
            missing.forEach(each -> told.put(each.name(), each.why()));
            return told;
        }
    }

    /// Takes what there is now.
    @FunctionalInterface
    interface Taker {
        void take(Stock stock);
    }

    private final Supplier<Stock> source;
    private final Taker sandboxes;
    private final Thread watch = Thread.ofVirtual().name("environments").unstarted(this::look);
    private Stock last = Stock.EMPTY;
    private volatile Runnable onChange = () -> {};
    private volatile boolean closed;

    EnvironmentOffer(Supplier<Stock> source, Taker sandboxes) {
        this.source = source;
        this.sandboxes = sandboxes;
    }

    /// Offers what there is, and goes on looking.
    ///
    /// @param changed is called whenever that is another
    void start(Runnable changed) {
        renew();
        onChange = changed;
        watch.start();
    }

    /// Tells sandboxes and whoever follows, if anything is another than before.
    synchronized void renew() {
        var now = source.get();
        if (closed || now.told().equals(last.told())) {
            return;
        }
        last = now;
        sandboxes.take(now);
        onChange.run();
    }

    /// What was offered last.
    synchronized Stock last() {
        return last;
    }

    private void look() {
        try {
            while (!closed) {
                Thread.sleep(LOOK);
                tryRenew();
            }
        } catch (InterruptedException _) {
            LOG.debug("no more looks for environments");
        }
    }

    private void tryRenew() {
        try {
            renew();
        } catch (RuntimeException trouble) {
            LOG.warn("environments could not be read; retrying", trouble);
        }
    }

    @Override
    public void close() {
        closed = true;
        watch.interrupt();
    }
}

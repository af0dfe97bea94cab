package dev.caisson.telemetry;

import dev.caisson.call.BoundedClose;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Span exporter: sends spans to a collector, many at once, on a thread of its own. Whoever has
/// some leaves them here and goes on: nobody waits for a collector. What it does not take is tried
/// again for a while; what cannot be kept or delivered is counted and forgotten.
public final class SpanExport implements BoundedClose {
    /// Spans that wait or are on their way. Those of one call are kept together or not at all.
    public static final int SPANS_MAX = 8192;

    /// Spans in one request, give or take a call.
    static final int BATCH = 512;

    /// How often a batch is sent at most.
    static final int TRIES_MAX = 5;

    private static final Logger LOG = LoggerFactory.getLogger(SpanExport.class);
    private static final Collector.Reply NOT_SENT =
            new Collector.Reply.Later("not sent", Duration.ZERO);

    /// How long things take.
    ///
    /// @param gather until spans are sent that do not fill a batch
    /// @param pause before the second try; doubled before each further one
    /// @param answer how long one try may take
    record Pace(Duration gather, Duration pause, Duration answer) {
        static final Pace DEFAULT =
                new Pace(Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(10));
    }

    private final OtlpSettings settings;
    private final Metrics metrics;
    private final Pace pace;
    private final Queue<List<Span>> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger held = new AtomicInteger();
    private final Semaphore news = new Semaphore(0);
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread sender = Thread.ofVirtual().name("spans").unstarted(this::run);
    private boolean failing;

    private SpanExport(OtlpSettings settings, Metrics metrics, Pace pace) {
        this.settings = settings;
        this.metrics = metrics;
        this.pace = pace;
    }

    public static SpanExport start(OtlpSettings settings, Metrics metrics) {
        return start(settings, metrics, Pace.DEFAULT);
    }

    static SpanExport start(OtlpSettings settings, Metrics metrics, Pace pace) {
        var export = new SpanExport(settings, metrics, pace);
        export.sender.start();
        return export;
    }

    /// Takes the spans of one call, if there is room for them. Never waits.
    public void add(List<Span> spans) {
        if (isClosing() || !reserve(spans.size())) {
            drop("no_room", spans.size());
            return;
        }
        queue.add(List.copyOf(spans));
        if (held.get() >= BATCH) {
            news.release();
        }
    }

    private boolean reserve(int count) {
        int before = held.getAndUpdate(now -> now + count > SPANS_MAX ? now : now + count);
        return before + count <= SPANS_MAX;
    }

    private boolean isClosing() {
        return closing.getCount() == 0;
    }

    private void run() {
        try (var collector = new Collector(settings, pace.answer())) {
            while (!isClosing()) {
                news.tryAcquire(pace.gather().toMillis(), TimeUnit.MILLISECONDS);
                news.drainPermits();
                sendAll(collector);
            }
            sendAll(collector);
        } catch (InterruptedException _) {
            LOG.debug("the time to send what is left is over");
        } catch (RuntimeException fault) {
            LOG.error("the export of spans failed", fault);
            closing.countDown();
        }
    }

    private void sendAll(Collector collector) throws InterruptedException {
        for (var batch = batch(); !batch.isEmpty(); batch = batch()) {
            Collector.Reply reply = NOT_SENT;
            try {
                reply = delivered(collector, batch);
            } catch (RuntimeException fault) {
                LOG.error("spans could not be sent", fault);
            } finally {
                held.addAndGet(-batch.size());
                count(batch.size(), reply);
            }
        }
    }

    private void count(int sent, Collector.Reply reply) {
        switch (reply) {
            case Collector.Reply.Taken(long rejected) -> {
                long lost = Math.min(rejected, sent);
                metrics.spansExported().inc(sent - lost);
                drop("refused", lost);
            }
            case Collector.Reply.Refused _ -> drop("refused", sent);
            case Collector.Reply.Later _ -> drop("not_delivered", sent);
        }
    }

    private void drop(String why, long count) {
        if (count > 0) {
            metrics.spansDropped().labelValues(why).inc(count);
        }
    }

    private List<Span> batch() {
        var batch = new ArrayList<Span>();
        while (batch.size() < BATCH) {
            var next = queue.poll();
            if (next == null) {
                break;
            }
            batch.addAll(next);
        }
        return batch;
    }

    /// Tries until the collector has said what it does with them, or it has been enough.
    private Collector.Reply delivered(Collector collector, List<Span> batch)
            throws InterruptedException {
        var pause = pace.pause();
        for (int tries = 1; ; tries++) {
            boolean last = tries == TRIES_MAX || isClosing();
            var reply = collector.send(batch);
            tell(reply);
            if (last || !(reply instanceof Collector.Reply.Later(var _, var asked))) {
                return reply;
            }
            var longer = asked.compareTo(pause) > 0 ? asked : pause;
            closing.await(longer.toMillis(), TimeUnit.MILLISECONDS);
            pause = pause.multipliedBy(2);
        }
    }

    /// Says so when it begins to fail and when it is well again, and not in between.
    private void tell(Collector.Reply reply) {
        var why =
                switch (reply) {
                    case Collector.Reply.Taken(long rejected) ->
                            rejected == 0 ? "" : "some were rejected";
                    case Collector.Reply.Refused(var what) -> what;
                    case Collector.Reply.Later(var what, var _) -> what;
                };
        if (!why.isEmpty() && !failing) {
            LOG.warn("spans do not arrive at {}: {}", settings.traces(), why);
        } else if (why.isEmpty() && failing) {
            LOG.info("spans arrive at {} again", settings.traces());
        }
        failing = !why.isEmpty();
    }

    /// Sends what is left, in bounded time.
    @Override
    public void close(Duration atMost) {
        closing.countDown();
        news.release();
        try {
            if (!sender.join(atMost)) {
                sender.interrupt();
                sender.join();
            }
        } catch (InterruptedException _) {
            sender.interrupt();
            Thread.currentThread().interrupt();
        }
        for (var spans = queue.poll(); spans != null; spans = queue.poll()) {
            drop("not_delivered", spans.size());
        }
    }
}

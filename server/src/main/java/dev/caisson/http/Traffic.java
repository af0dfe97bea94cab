package dev.caisson.http;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.telemetry.Metrics;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What is going on right now, within the limits: requests being handled and streams being open.
/// Whatever ends is counted and gets its line in the log here.
final class Traffic {
    private static final Logger CALLS = LoggerFactory.getLogger("dev.caisson.call");

    private final HttpLimits limits;
    private final ClientAddress clients;
    private final Metrics metrics;
    private final Semaphore requests;
    private final Semaphore streams;
    private final Departures departures = new Departures();
    private final Set<JettyStream> open = ConcurrentHashMap.newKeySet();
    private volatile boolean stopping;

    Traffic(HttpLimits limits, ClientAddress clients, Metrics metrics) {
        this.limits = limits;
        this.clients = clients;
        this.metrics = metrics;
        requests = new Semaphore(limits.requestsMax());
        streams = new Semaphore(limits.streamsMax());
    }

    HttpLimits limits() {
        return limits;
    }

    ClientAddress clients() {
        return clients;
    }

    Departures departures() {
        return departures;
    }

    boolean isStopping() {
        return stopping;
    }

    void stopping() {
        stopping = true;
    }

    /// Waits until no request is being handled, or the time is over. Only after [#stopping].
    void awaitRequests(Duration atMost) throws InterruptedException {
        if (requests.tryAcquire(limits.requestsMax(), atMost.toNanos(), TimeUnit.NANOSECONDS)) {
            requests.release(limits.requestsMax());
        }
    }

    /// Ends all streams: properly where the reader takes the rest in time, by force where not.
    void endStreams(Duration atMost) throws InterruptedException {
        open.forEach(JettyStream::close);
        if (streams.tryAcquire(limits.streamsMax(), atMost.toNanos(), TimeUnit.NANOSECONDS)) {
            streams.release(limits.streamsMax());
        } else {
            open.forEach(stream -> stream.abort("the server stops"));
        }
    }

    /// Takes a place for a request, which must be given back by [#requestHandled].
    void takeRequest() {
        if (stopping) {
            throw new Refusal(Reason.UNAVAILABLE, "The server is stopping.");
        }
        if (!requests.tryAcquire()) {
            throw new Refusal(
                    Reason.UNAVAILABLE,
                    "The server is handling "
                            + limits.requestsMax()
                            + " requests already; try again shortly.");
        }
        metrics.httpInFlight().inc();
    }

    void requestHandled() {
        metrics.httpInFlight().dec();
        requests.release();
    }

    void takeStream() {
        if (!streams.tryAcquire()) {
            throw new Refusal(
                    Reason.UNAVAILABLE,
                    "The server holds "
                            + limits.streamsMax()
                            + " streams open already; try again later.");
        }
        metrics.httpStreams().inc();
    }

    void streamStarted(JettyStream stream) {
        open.add(stream);
    }

    void streamEnded(JettyStream stream, CallRecord record, long bytes) {
        open.remove(stream);
        metrics.httpStreams().dec();
        streams.release();
        ended(record, bytes);
    }

    void ended(CallRecord record, long bytes) {
        record.end(bytes);
        var route = record.route();
        metrics.httpRequests().labelValues(route, Integer.toString(record.status())).inc();
        metrics.httpSeconds().labelValues(route).observe(record.nanos() / 1e9);
        CALLS.info("call", record);
    }

    void refused(Reason reason) {
        if (reason == Reason.UNAUTHORIZED || reason == Reason.TOO_MANY_ATTEMPTS) {
            metrics.authFailures().inc();
        }
        metrics.refusals().labelValues(reason.name().toLowerCase(Locale.ROOT)).inc();
    }
}

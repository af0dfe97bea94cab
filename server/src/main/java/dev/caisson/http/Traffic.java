package dev.caisson.http;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.telemetry.Metrics;
import java.util.concurrent.Semaphore;
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

    boolean isStopping() {
        return stopping;
    }

    void stopping() {
        stopping = true;
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

    int requestsInFlight() {
        return limits.requestsMax() - requests.availablePermits();
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

    int streamsOpen() {
        return limits.streamsMax() - streams.availablePermits();
    }

    void streamEnded(CallRecord record, long bytes) {
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
        metrics.refusals().labelValues(reason.name().toLowerCase(java.util.Locale.ROOT)).inc();
    }
}

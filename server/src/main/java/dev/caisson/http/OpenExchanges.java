package dev.caisson.http;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.StreamEnd;
import dev.caisson.share.GrowingShare;
import dev.caisson.share.HeldShare;
import dev.caisson.share.Share;
import dev.caisson.share.WaitingShare;
import dev.caisson.telemetry.Metrics;
import io.prometheus.metrics.core.metrics.Gauge;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Register of requests under way and open streams, within the limits. Whatever ends is counted and
/// gets its line in the log here.
final class OpenExchanges {
    private static final Logger CALLS = LoggerFactory.getLogger("dev.caisson.call");
    private static final Duration LOOK = Duration.ofMillis(5);

    /// How many requests have their key checked at the same time; others wait, and client addresses
    /// take turns. A key that is not known costs a question to the store, which has few readers.
    static final int ADMISSIONS_MAX = 64;

    private final HttpLimits limits;
    private final ClientAddress clients;
    private final Metrics metrics;
    private final Challenges challenges;
    private final WaitingShare admissions;
    private final Share requests;
    private final Share streams;
    private final Share links;
    private final Share bodies;
    private final Share answers;
    private final Connections connections;
    private final Disconnects departures = new Disconnects();
    private final Set<JettyExchange> underWay = ConcurrentHashMap.newKeySet();
    private final Set<JettyStream> open = ConcurrentHashMap.newKeySet();
    private volatile boolean stopping;

    OpenExchanges(
            HttpLimits limits, ClientAddress clients, Metrics metrics, Challenges challenges) {
        this.limits = limits;
        this.challenges = challenges;
        this.clients = clients;
        this.metrics = metrics;
        var part = limits.part();
        var memory = limits.memory();
        admissions =
                new WaitingShare(
                        new Share("admissions", "requests before admission", ADMISSIONS_MAX, part),
                        limits.connectionsMax(),
                        limits.requests().time());
        requests = new Share("requests", "requests under way", limits.requests().max(), part);
        streams = new Share("streams", "open streams", limits.streams().max(), part);
        links =
                new Share(
                        "links",
                        "requests by signed links",
                        Math.min(limits.requests().max(), limits.streams().max()),
                        part);
        bodies =
                new Share(
                        "bodies",
                        "bytes of memory for the bodies of requests",
                        memory.bodiesBytesMax(limits.requests().bodyBytesMax()),
                        part);
        answers =
                new Share(
                        "answers",
                        "bytes of memory for answers that wait for their readers",
                        memory.answersBytesMax(),
                        part);
        connections =
                new Connections(
                        Math.min(limits.connectionsMax(), OpenFileLimit.forConnections()), part);
    }

    HttpLimits limits() {
        return limits;
    }

    ClientAddress clients() {
        return clients;
    }

    Disconnects departures() {
        return departures;
    }

    boolean isStopping() {
        return stopping;
    }

    void stopping() {
        stopping = true;
    }

    Connections connections() {
        return connections;
    }

    /// Waits until no request is being handled, or the time is over. Only after [#stopping].
    void awaitRequests(Duration atMost) throws InterruptedException {
        awaitNone(requests, atMost);
    }

    /// Ends all streams with their last word: properly where the reader takes the rest in time, by
    /// force where not.
    void endStreams(Duration atMost) throws InterruptedException {
        open.forEach(stream -> stream.closeFor(StreamEnd.SERVER_STOPPING));
        if (!awaitNone(streams, atMost)) {
            open.forEach(stream -> stream.abort("the server stops"));
        }
    }

    private static boolean awaitNone(Share share, Duration atMost) throws InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        while (share.free() < share.total()) {
            if (System.nanoTime() >= end) {
                return false;
            }
            Thread.sleep(LOOK);
        }
        return true;
    }

    void began(JettyExchange exchange) {
        underWay.add(exchange);
    }

    void over(JettyExchange exchange) {
        underWay.remove(exchange);
    }

    /// Gives back what those hold whose clients have left.
    void lookForDepartures() {
        underWay.forEach(JettyExchange::lookForDeparture);
    }

    /// Waits for a turn of a request whose caller is not known yet.
    HeldShare takeAdmission(String holder) throws InterruptedException {
        return admissions.take(holder, 1);
    }

    /// Takes a place for a request.
    HeldShare takeRequest(String holder) {
        if (stopping) {
            throw Refusal.stopping("The server is stopping.");
        }
        return counted(requests.take(holder, 1), metrics.httpInFlight());
    }

    HeldShare takeStream(String holder) {
        return counted(streams.take(holder, 1), metrics.httpStreams());
    }

    /// Takes a part of what requests by links may have, for as long as one is under way or streams.
    HeldShare takeLink(String holder) {
        return links.take(holder, 1);
    }

    private static HeldShare counted(HeldShare taken, Gauge gauge) {
        gauge.inc();
        var open = new AtomicBoolean(true);
        return () -> {
            if (open.compareAndSet(true, false)) {
                gauge.dec();
                taken.close();
            }
        };
    }

    /// Memory for a body, none so far.
    GrowingShare body(String holder) {
        return new GrowingShare(bodies, holder);
    }

    Challenges challenges() {
        return challenges;
    }

    /// The memory that is counted for a body of that length. At most all there is, so that the
    /// largest body can come in when there is no other.
    long bodyBytes(long length) {
        return Math.min(bodies.total(), length * HttpMemory.PER_BODY_BYTE);
    }

    /// Memory for an answer, none so far.
    GrowingShare answer(String holder) {
        return new GrowingShare(answers, holder);
    }

    /// The bytes that are counted for an answer of which so many wait. At most all there are, so
    /// that the largest answer can be sent when there is no other.
    long answerBytes(long waiting) {
        return Math.clamp(waiting - HttpMemory.UNCOUNTED_BYTES, 0, answers.total());
    }

    void streamStarted(JettyStream stream) {
        open.add(stream);
    }

    void streamEnded(JettyStream stream, CallRecord record, long bytes) {
        open.remove(stream);
        ended(record, bytes);
    }

    void ended(CallRecord record, long bytes) {
        record.end(bytes);
        var route = record.route();
        metrics.httpRequests().labelValues(route, Integer.toString(record.status())).inc();
        metrics.httpSeconds().labelValues(route).observe(record.nanos() / 1e9);
        if (record.isRoutine()) {
            CALLS.debug("call", record);
        } else {
            CALLS.info("call", record);
        }
    }

    void refused(Reason reason) {
        if (reason == Reason.UNAUTHORIZED || reason == Reason.TOO_MANY_ATTEMPTS) {
            metrics.authFailures().inc();
        }
        metrics.refusals().labelValues(reason.name().toLowerCase(Locale.ROOT)).inc();
    }
}

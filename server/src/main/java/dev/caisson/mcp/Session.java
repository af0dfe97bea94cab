package dev.caisson.mcp;

import dev.caisson.broker.Change;
import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.http.OutStream;
import dev.caisson.json.Json;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/// A legacy session: it routes streams, and holds nothing a client could not do without.
final class Session {
    private final String id;
    private final String owner;
    private final Peer peer;
    private final McpLimits limits;
    private final Map<String, LegacyStream> streams = new LinkedHashMap<>();
    private @Nullable LegacyStream standing;
    private @Nullable AutoCloseable listening;
    private volatile long usedAt = System.nanoTime();

    Session(String id, String owner, Peer peer, McpLimits limits) {
        this.id = id;
        this.owner = owner;
        this.peer = peer;
        this.limits = limits;
    }

    String id() {
        return id;
    }

    boolean of(Caller caller) {
        return owner.equals(caller.id());
    }

    Peer peer() {
        return peer;
    }

    void touch() {
        usedAt = System.nanoTime();
    }

    long usedAt() {
        return usedAt;
    }

    /// Whether nobody has used it for a time and nothing of it is under way.
    synchronized boolean idleFor(Duration time) {
        var read = standing != null && standing.read();
        return System.nanoTime() - usedAt >= time.toNanos() && peer.idle() && !read;
    }

    /// Opens the stream of one request.
    ///
    /// @throws Refusal NO_CAPACITY when too many are open
    synchronized LegacyStream open(OutStream out) {
        makeRoom();
        var stream = newStream(EventId.OF_CALL);
        stream.attach(out);
        return stream;
    }

    private LegacyStream newStream(String kind) {
        var number = ThreadLocalRandom.current().nextLong(Long.MAX_VALUE);
        var key = kind + Long.toString(number, Character.MAX_RADIX);
        var stream = new LegacyStream(key, limits, peer.revision().atLeast(Revision.R2025_11_25));
        streams.put(key, stream);
        return stream;
    }

    private void makeRoom() {
        streams.values().removeIf(stream -> stream.overSince(limits.sessionIdle()));
        var all = streams.values().iterator();
        while (streams.size() >= limits.streamsPerSession() && all.hasNext()) {
            if (all.next().over()) {
                all.remove();
            }
        }
        if (streams.size() >= limits.streamsPerSession()) {
            throw new Refusal(
                    Reason.NO_CAPACITY,
                    "This session has " + streams.size() + " calls streaming already");
        }
    }

    /// Gives the session's own stream, on which it hears of changes, a reader.
    synchronized LegacyStream stand(OutStream out, Engine engine, Caller caller) {
        var stream = standing;
        if (stream == null) {
            stream = newStream(EventId.STANDING);
            standing = stream;
            listening =
                    engine.changes()
                            .listen(caller, change -> hear(change, caller, engine.notices()));
        }
        stream.attach(out);
        return stream;
    }

    private void hear(Change change, Caller caller, Notices notices) {
        LegacyStream stream;
        synchronized (this) {
            stream = standing;
        }
        if (stream != null && peer.wants(change)) {
            stream.event(Json.bytes(notices.of(change, caller)));
        }
    }

    synchronized Optional<LegacyStream> stream(String key) {
        return Optional.ofNullable(streams.get(key));
    }

    /// Ends the session's own stream. Calls go on.
    synchronized void endStanding() {
        if (standing != null) {
            standing.end();
        }
    }

    /// Stops the work and closes the streams.
    void end() {
        peer.cancelAll();
        closeStreams();
    }

    synchronized void closeStreams() {
        streams.values().forEach(LegacyStream::end);
        streams.clear();
        standing = null;
        if (listening != null) {
            close(listening);
            listening = null;
        }
    }

    static void close(AutoCloseable listening) {
        try {
            listening.close();
        } catch (Exception e) {
            throw new IllegalStateException("ending a subscription failed", e);
        }
    }
}

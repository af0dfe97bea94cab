package dev.caisson.mcp.legacy;

import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Revocations;
import dev.caisson.call.StreamEnd;
import dev.caisson.http.OutStream;
import dev.caisson.json.Json;
import dev.caisson.mcp.McpLimits;
import dev.caisson.mcp.server.ChangeSubscription;
import dev.caisson.mcp.server.ChangeSubscriptions;
import dev.caisson.rpc.Revision;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Legacy session: it routes streams, and holds nothing a client could not do without.
public final class LegacySession {
    private final String id;
    private final String owner;
    private final ConnectedClient peer;
    private final McpLimits limits;
    private final ReplayBudget replay;
    private final Map<String, LegacyStream> streams = new LinkedHashMap<>();
    private @Nullable LegacyStream standing;
    private @Nullable AutoCloseable listening;
    private Revocations.@Nullable Registration registration;
    private boolean closed;
    private volatile long usedAt = System.nanoTime();

    public LegacySession(
            String id, String owner, ConnectedClient peer, McpLimits limits, ReplayBudget replay) {
        this.id = id;
        this.owner = owner;
        this.peer = peer;
        this.limits = limits;
        this.replay = replay;
    }

    public String id() {
        return id;
    }

    String owner() {
        return owner;
    }

    boolean of(Caller caller) {
        return owner.equals(caller.id());
    }

    public ConnectedClient peer() {
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
    public synchronized LegacyStream open(OutStream out) {
        makeRoom();
        var stream = newStream(EventId.OF_CALL);
        stream.attach(out);
        return stream;
    }

    private LegacyStream newStream(String kind) {
        var number = ThreadLocalRandom.current().nextLong(Long.MAX_VALUE);
        var key = kind + Long.toString(number, Character.MAX_RADIX);
        var primed = peer.revision().atLeast(Revision.R2025_11_25);
        var stream = new LegacyStream(key, limits, replay, primed);
        streams.put(key, stream);
        return stream;
    }

    private void makeRoom() {
        forgetStreams(stream -> stream.overSince(limits.sessions().idle()));
        forgetStreams(stream -> streams.size() >= limits.sessions().streams() && stream.over());
        if (streams.size() >= limits.sessions().streams()) {
            throw new Refusal(
                    Reason.NO_CAPACITY,
                    "This session has " + streams.size() + " calls streaming already");
        }
    }

    /// Forgets streams, the oldest first.
    private void forgetStreams(Predicate<LegacyStream> which) {
        var all = streams.values().iterator();
        while (all.hasNext()) {
            var stream = all.next();
            if (which.test(stream)) {
                all.remove();
                stream.forget();
            }
        }
    }

    /// Gives up what is kept for readers that come back. What is under way goes on.
    synchronized void forgetReplay() {
        forgetStreams(LegacyStream::over);
        streams.values().forEach(LegacyStream::forget);
    }

    /// Gives the session's own stream, on which it hears of changes, a reader.
    synchronized LegacyStream stand(
            OutStream out, ChangeSubscriptions subscriptions, Caller caller) {
        var stream = standing;
        if (stream == null) {
            stream = newStream(EventId.STANDING);
            standing = stream;
            listening = subscriptions.hear(caller, peer::wants, this::hear);
        }
        stream.attach(out);
        return stream;
    }

    private void hear(ObjectNode message) {
        LegacyStream stream;
        synchronized (this) {
            stream = standing;
        }
        if (stream != null) {
            stream.event(Json.bytes(message));
        }
    }

    synchronized Optional<LegacyStream> stream(String key) {
        return Optional.ofNullable(streams.get(key));
    }

    /// Ends the session's own stream. Calls go on.
    synchronized void endStanding() {
        if (standing != null) {
            standing.end(StreamEnd.SERVER_STOPPING);
        }
    }

    /// Stops the work, but for programs that their caller can find again, and closes the streams.
    public void end() {
        peer.leaveAll();
        closeStreams();
    }

    /// The same before its time, with the reason as the last event of the streams.
    void end(StreamEnd why) {
        peer.cancelAll();
        synchronized (this) {
            streams.values().forEach(stream -> stream.end(why));
        }
        closeStreams();
    }

    /// @param made is closed with it, at once if it was ended or forgotten meanwhile
    synchronized void registered(Revocations.Registration made) {
        if (closed) {
            made.close();
        } else {
            registration = made;
        }
    }

    synchronized void closeStreams() {
        closed = true;
        if (registration != null) {
            registration.close();
            registration = null;
        }
        peer.forget();
        streams.values().forEach(LegacyStream::end);
        forgetStreams(_ -> true);
        standing = null;
        if (listening != null) {
            ChangeSubscription.end(listening);
            listening = null;
        }
    }
}

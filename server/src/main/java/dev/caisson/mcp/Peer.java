package dev.caisson.mcp;

import dev.caisson.broker.Change;
import dev.caisson.broker.ClientFeature;
import dev.caisson.broker.LogLevel;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.share.Held;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A client whose life is longer than one request: what it said about itself, what it waits for and
/// what we wait for.
final class Peer {
    private volatile Revision revision;
    private volatile Set<ClientFeature> features;
    private volatile LogLevel level = LogLevel.INFO;
    private final Map<String, Cancellation> running = new ConcurrentHashMap<>();
    private final Map<String, Pending> waiting = new ConcurrentHashMap<>();
    private final Map<String, Held> watched = new ConcurrentHashMap<>();
    private boolean forgotten;
    private final AtomicLong questions = new AtomicLong();
    private volatile boolean introduced;

    Peer(Revision revision, Set<ClientFeature> features) {
        this.revision = revision;
        this.features = Set.copyOf(features);
    }

    Revision revision() {
        return revision;
    }

    Set<ClientFeature> features() {
        return features;
    }

    LogLevel level() {
        return level;
    }

    void introduce(McpRequest.Initialize handshake) {
        revision = handshake.revision();
        features = Set.copyOf(handshake.features());
        introduced = true;
    }

    /// Whether it made a handshake.
    boolean introduced() {
        return introduced;
    }

    void setLevel(LogLevel newLevel) {
        level = newLevel;
    }

    /// @param taking takes memory for it
    synchronized void watch(String uri, Supplier<Held> taking) {
        if (forgotten || watched.containsKey(uri)) {
            return;
        }
        if (watched.size() >= ListenFilter.WATCHED_MAX) {
            throw new Refusal(
                    Reason.NO_CAPACITY,
                    "Too many resources are watched already. Unsubscribe from one first.",
                    Map.of(Refusal.RETRYABLE, false));
        }
        watched.put(uri, taking.get());
    }

    synchronized void unwatch(String uri) {
        var held = watched.remove(uri);
        if (held != null) {
            held.close();
        }
    }

    /// Nothing is watched for it any more.
    synchronized void forget() {
        forgotten = true;
        watched.values().forEach(Held::close);
        watched.clear();
    }

    /// Whether it is told of a change without asking: the lists always, resources it watches.
    boolean wants(Change change) {
        return switch (change) {
            case Change.Tools _, Change.Prompts _, Change.Resources _ -> true;
            case Change.ResourceUpdated updated -> watched.containsKey(updated.uri());
            case Change.ProcessMoved _ -> false;
        };
    }

    /// @return false when a request with that id is still being worked on
    boolean begin(Id id, Cancellation work) {
        return running.putIfAbsent(id.key(), work) == null;
    }

    void end(Id id, Cancellation work) {
        running.remove(id.key(), work);
    }

    /// Stops the request with that id, if there is one.
    void cancel(Id id) {
        var work = running.get(id.key());
        if (work != null) {
            work.cancel();
        }
    }

    void cancelAll() {
        running.values().forEach(Cancellation::cancel);
    }

    boolean idle() {
        return running.isEmpty();
    }

    /// Sends a request of our own on the stream of the one that causes it.
    Pending ask(Outlet outlet, String method, ObjectNode params) {
        var id = "caisson-" + questions.incrementAndGet();
        var pending = new Pending(id, () -> waiting.remove(id));
        waiting.put(id, pending);
        if (!outlet.send(Rpc.request(id, method, params))) {
            pending.close();
            throw new Refusal(
                    Reason.MISSING_CAPABILITY,
                    "The client cannot be asked: it accepts no event stream for this request");
        }
        return pending;
    }

    /// Hands an answer to whoever waits for it. A late or unknown one is ignored.
    void answered(Incoming.Response response) {
        Optional.of(response.id().node())
                .filter(JsonNode::isString)
                .map(node -> waiting.get(node.stringValue()))
                .ifPresent(pending -> pending.complete(response));
    }
}

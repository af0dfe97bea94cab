package dev.caisson.mcp.legacy;

import dev.caisson.call.Change;
import dev.caisson.call.ClientFeature;
import dev.caisson.call.LogLevel;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.mcp.server.Cancellation;
import dev.caisson.mcp.server.McpRequest;
import dev.caisson.mcp.server.MessageSink;
import dev.caisson.mcp.server.SubscriptionFilter;
import dev.caisson.rpc.IncomingMessage;
import dev.caisson.rpc.RequestId;
import dev.caisson.rpc.Revision;
import dev.caisson.rpc.Rpc;
import dev.caisson.share.HeldShare;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// State of a client that lives longer than one request: its declarations, its requests and ours.
public final class ConnectedClient {
    private volatile Revision revision;
    private volatile Set<ClientFeature> features;
    private volatile LogLevel level = LogLevel.INFO;
    private final Map<String, Cancellation> running = new ConcurrentHashMap<>();
    private final Map<String, PendingRequest> waiting = new ConcurrentHashMap<>();
    private final Map<String, HeldShare> watched = new ConcurrentHashMap<>();
    private boolean forgotten;
    private final AtomicLong questions = new AtomicLong();
    private volatile boolean introduced;

    public ConnectedClient(Revision revision, Set<ClientFeature> features) {
        this.revision = revision;
        this.features = Set.copyOf(features);
    }

    public Revision revision() {
        return revision;
    }

    public Set<ClientFeature> features() {
        return features;
    }

    public LogLevel level() {
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

    public void setLevel(LogLevel newLevel) {
        level = newLevel;
    }

    /// @param taking takes memory for it
    public synchronized void watch(String uri, Supplier<HeldShare> taking) {
        if (forgotten || watched.containsKey(uri)) {
            return;
        }
        if (watched.size() >= SubscriptionFilter.WATCHED_MAX) {
            throw new Refusal(
                    Reason.NO_CAPACITY,
                    "Too many resources are watched already. Unsubscribe from one first.",
                    Map.of(Refusal.RETRYABLE, false));
        }
        watched.put(uri, taking.get());
    }

    public synchronized void unwatch(String uri) {
        var held = watched.remove(uri);
        if (held != null) {
            held.close();
        }
    }

    /// Nothing is watched for it any more.
    synchronized void forget() {
        forgotten = true;
        watched.values().forEach(HeldShare::close);
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
    public boolean begin(RequestId id, Cancellation work) {
        return running.putIfAbsent(id.key(), work) == null;
    }

    public void end(RequestId id, Cancellation work) {
        running.remove(id.key(), work);
    }

    /// Stops the request with that id, if there is one.
    ///
    /// @param timedOut whether only the client's time is over
    void cancel(RequestId id, boolean timedOut) {
        var work = running.get(id.key());
        if (work != null) {
            work.cancel(timedOut);
        }
    }

    /// The client has gone: what can go on without its request does.
    void leaveAll() {
        running.values().forEach(Cancellation::leaveRequest);
    }

    void cancelAll() {
        running.values().forEach(Cancellation::cancel);
    }

    boolean idle() {
        return running.isEmpty();
    }

    /// Sends a request of our own on the stream of the one that causes it.
    PendingRequest ask(MessageSink outlet, String method, ObjectNode params) {
        var id = "caisson-" + questions.incrementAndGet();
        var pending = new PendingRequest(id, () -> waiting.remove(id));
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
    void answered(IncomingMessage.Response response) {
        Optional.of(response.id().node())
                .filter(JsonNode::isString)
                .map(node -> waiting.get(node.stringValue()))
                .ifPresent(pending -> pending.complete(response));
    }
}

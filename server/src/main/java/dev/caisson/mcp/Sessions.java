package dev.caisson.mcp;

import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Revocations;
import dev.caisson.call.StreamEnd;
import dev.caisson.http.Exchange;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/// The legacy sessions we remember. One that was forgotten, or is of a former server, comes back by
/// what its id says; only a client can end one for good.
final class Sessions {
    static final String HEADER = "Mcp-Session-Id";

    private final SessionToken tokens;
    private final McpLimits limits;
    private final Revocations revocations;
    private final Replay replay;
    private final Map<String, Session> live = new ConcurrentHashMap<>();
    private final Set<String> ended;

    Sessions(SessionToken tokens, McpLimits limits, Revocations revocations) {
        this.revocations = revocations;
        this.tokens = tokens;
        this.limits = limits;
        this.replay = new Replay(limits.replayBytes());
        this.ended = newestOnly(limits.sessions());
        replay.onScarce(this::forgetReplay);
    }

    /// A set that forgets its oldest members beyond a size.
    private static Set<String> newestOnly(int size) {
        return Collections.newSetFromMap(
                Collections.synchronizedMap(
                        new LinkedHashMap<>() {
                            private static final long serialVersionUID = 1L;

                            @Override
                            protected boolean removeEldestEntry(Map.Entry<String, Boolean> oldest) {
                                return size() > size;
                            }
                        }));
    }

    Session begin(Caller caller, McpRequest.Initialize handshake) {
        var content = new SessionToken.Content(handshake.revision(), handshake.features());
        return remember(tokens.mint(caller, content), caller, content);
    }

    private Session remember(String id, Caller caller, SessionToken.Content content) {
        if (live.size() >= limits.sessions()) {
            makeRoom();
        }
        var peer = new Peer(content.revision(), content.features());
        var fresh = new Session(id, caller.id(), peer, limits, replay);
        var known = live.putIfAbsent(id, fresh);
        if (known != null) {
            return known;
        }
        fresh.registered(revocations.register(caller.id(), () -> revoked(fresh)));
        return fresh;
    }

    /// The session of that id, if it is this caller's and was not ended.
    Optional<Session> find(Caller caller, String id) {
        var known = live.get(id);
        if (known != null) {
            known.touch();
            return Optional.of(known).filter(session -> session.of(caller));
        }
        if (ended.contains(id)) {
            return Optional.empty();
        }
        return tokens.read(caller, id).map(content -> remember(id, caller, content));
    }

    /// The session a request names, if it names one.
    ///
    /// @throws ProtocolError when it is not one of its caller's
    Optional<Session> of(Exchange exchange, Caller caller) {
        return exchange.header(HEADER)
                .map(id ->
                        find(caller, id)
                                .orElseThrow(() ->
                                        new ProtocolError(
                                                RpcError.INVALID_REQUEST,
                                                "Session not found; begin a new one with"
                                                        + " initialize",
                                                404)));
    }

    void end(Session session) {
        endForGood(session);
        session.end();
    }

    private void revoked(Session session) {
        endForGood(session);
        session.end(StreamEnd.KEY_REVOKED);
    }

    private void endForGood(Session session) {
        ended.add(session.id());
        live.remove(session.id());
    }

    /// Forgets sessions nobody uses.
    void sweep() {
        live.values().stream()
                .filter(session -> session.idleFor(limits.sessionIdle()))
                .forEach(this::forget);
    }

    /// Forgets the longest unused session of the caller that has most.
    private void makeRoom() {
        var counts =
                live.values().stream()
                        .filter(session -> session.peer().idle())
                        .collect(Collectors.groupingBy(Session::owner, Collectors.counting()));
        var most = counts.values().stream().max(Long::compare).orElse(0L);
        var idlest =
                live.values().stream()
                        .filter(session -> session.peer().idle())
                        .filter(session -> most.equals(counts.get(session.owner())))
                        .min(Comparator.comparingLong(Session::usedAt));
        if (idlest.isEmpty()) {
            throw new Refusal(Reason.NO_CAPACITY, "All sessions are busy; try again later");
        }
        forget(idlest.get());
    }

    /// Takes what is kept for replay from the idlest sessions, until it is little enough.
    private void forgetReplay() {
        live.values().stream()
                .sorted(Comparator.comparingLong(Session::usedAt))
                .takeWhile(_ -> replay.scarce())
                .forEach(Session::forgetReplay);
    }

    private void forget(Session session) {
        live.remove(session.id());
        session.closeStreams();
    }

    /// Ends the streams on which nothing is under way.
    void endStanding() {
        live.values().forEach(Session::endStanding);
    }
}

package dev.caisson.mcp.legacy;

import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Revocations;
import dev.caisson.call.StreamEnd;
import dev.caisson.http.Exchange;
import dev.caisson.mcp.McpLimits;
import dev.caisson.mcp.server.McpRequest;
import dev.caisson.rpc.ProtocolError;
import dev.caisson.rpc.RpcError;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/// Table of legacy sessions. One that was forgotten, or is of a former server, comes back by what
/// its id says; only a client can end one for good.
public final class LegacySessions {
    static final String HEADER = "Mcp-Session-Id";

    private final SessionToken tokens;
    private final McpLimits limits;
    private final Revocations revocations;
    private final ReplayBudget replay;
    private final Map<String, LegacySession> live = new ConcurrentHashMap<>();
    private final Set<String> ended;

    public LegacySessions(SessionToken tokens, McpLimits limits, Revocations revocations) {
        this.revocations = revocations;
        this.tokens = tokens;
        this.limits = limits;
        this.replay = new ReplayBudget(limits.replay().bytes());
        this.ended = newestOnly(limits.sessions().count());
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

    public LegacySession begin(Caller caller, McpRequest.Initialize handshake) {
        var content = new SessionToken.Content(handshake.revision(), handshake.features());
        return remember(tokens.mint(caller, content), caller, content);
    }

    private LegacySession remember(String id, Caller caller, SessionToken.Content content) {
        if (live.size() >= limits.sessions().count()) {
            makeRoom();
        }
        var peer = new ConnectedClient(content.revision(), content.features());
        var fresh = new LegacySession(id, caller.id(), peer, limits, replay);
        var known = live.putIfAbsent(id, fresh);
        if (known != null) {
            return known;
        }
        fresh.registered(revocations.register(caller.id(), () -> revoked(fresh)));
        return fresh;
    }

    /// The session of that id, if it is this caller's and was not ended.
    public Optional<LegacySession> find(Caller caller, String id) {
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
    Optional<LegacySession> of(Exchange exchange, Caller caller) {
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

    void end(LegacySession session) {
        endForGood(session);
        session.end();
    }

    private void revoked(LegacySession session) {
        endForGood(session);
        session.end(StreamEnd.KEY_REVOKED);
    }

    private void endForGood(LegacySession session) {
        ended.add(session.id());
        live.remove(session.id());
    }

    /// Forgets sessions nobody uses.
    public void sweep() {
        live.values().stream()
                .filter(session -> session.idleFor(limits.sessions().idle()))
                .forEach(this::forget);
    }

    /// Forgets the longest unused session of the caller that has most.
    private void makeRoom() {
        var counts =
                live.values().stream()
                        .filter(session -> session.peer().idle())
                        .collect(
                                Collectors.groupingBy(LegacySession::owner, Collectors.counting()));
        var most = counts.values().stream().max(Long::compare).orElse(0L);
        var idlest =
                live.values().stream()
                        .filter(session -> session.peer().idle())
                        .filter(session -> most.equals(counts.get(session.owner())))
                        .min(Comparator.comparingLong(LegacySession::usedAt));
        if (idlest.isEmpty()) {
            throw new Refusal(Reason.NO_CAPACITY, "All sessions are busy; try again later");
        }
        forget(idlest.get());
    }

    /// Takes what is kept for replay from the idlest sessions, until it is little enough.
    private void forgetReplay() {
        live.values().stream()
                .sorted(Comparator.comparingLong(LegacySession::usedAt))
                .takeWhile(_ -> replay.scarce())
                .forEach(LegacySession::forgetReplay);
    }

    private void forget(LegacySession session) {
        live.remove(session.id());
        session.closeStreams();
    }

    /// Ends the streams on which nothing is under way.
    public void endStanding() {
        live.values().forEach(LegacySession::endStanding);
    }
}

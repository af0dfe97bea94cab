package dev.caisson.mcp;

import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The legacy sessions we remember. One that was forgotten, or is of a former server, comes back by
/// what its id says; only a client can end one for good.
final class Sessions {
    private final SessionToken tokens;
    private final McpLimits limits;
    private final Map<String, Session> live = new ConcurrentHashMap<>();
    private final Set<String> ended;

    Sessions(SessionToken tokens, McpLimits limits) {
        this.tokens = tokens;
        this.limits = limits;
        this.ended = newestOnly(limits.sessions());
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
        return live.computeIfAbsent(id, key -> new Session(key, caller.id(), peer, limits));
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

    void end(Session session) {
        ended.add(session.id());
        live.remove(session.id());
        session.end();
    }

    /// Forgets sessions nobody uses.
    void sweep() {
        live.values().stream()
                .filter(session -> session.idleFor(limits.sessionIdle()))
                .forEach(this::forget);
    }

    private void makeRoom() {
        var idlest =
                live.values().stream()
                        .filter(session -> session.peer().idle())
                        .min(Comparator.comparingLong(Session::usedAt));
        if (idlest.isEmpty()) {
            throw new Refusal(Reason.NO_CAPACITY, "All sessions are busy; try again later");
        }
        forget(idlest.get());
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

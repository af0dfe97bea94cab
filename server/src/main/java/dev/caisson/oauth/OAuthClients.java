package dev.caisson.oauth;

import dev.caisson.call.Caller;
import dev.caisson.identity.Vault;
import dev.caisson.store.Store;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/// OAuth as this server speaks it to upstreams: sessions by upstream and owner, and the way of a
/// person through an authorization server.
public final class OAuthClients {
    /// Owner of tokens that all callers share.
    public static final String SHARED = "";

    /// How many sessions are remembered; what is kept of one is in the database.
    private static final int SESSIONS_MAX = 1_000;

    private final OAuthParts parts;
    private final Authorizations authorizations;
    private final Map<OAuthRows.Key, OAuthSession> sessions =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<OAuthRows.Key, OAuthSession> eldest) {
                    return size() > SESSIONS_MAX;
                }
            };

    /// @param registration this server as authorization servers see it
    /// @param connectPage the address of the page at which a person connects an upstream
    public OAuthClients(
            Store store,
            Vault vault,
            Clock clock,
            OAuthHttp http,
            OAuthAddresses addresses,
            Supplier<Registration> registration,
            UnaryOperator<String> connectPage) {
        parts =
                new OAuthParts(
                        http,
                        addresses,
                        new OAuthStore(store, vault, clock),
                        clock,
                        registration,
                        connectPage);
        authorizations = new Authorizations(parts);
    }

    /// The session of an owner. Another target of the same upstream begins anew.
    public OAuthSession session(OAuthTarget target, String owner) {
        var key = new OAuthRows.Key(target.upstream(), owner);
        synchronized (sessions) {
            var known = sessions.get(key);
            if (known != null && known.target().isLike(target)) {
                return known;
            }
            var made = new OAuthSession(parts, target, key);
            sessions.put(key, made);
            return made;
        }
    }

    /// Begins the way of a person through the authorization server.
    ///
    /// @param by who begins it
    public Authorizations.Begun begin(OAuthTarget target, String owner, Caller by)
            throws OAuthFailure, InterruptedException {
        return authorizations.begin(session(target, owner), owner, by);
    }

    /// Takes a person back, which shows nothing to anybody yet.
    public Authorizations.Agreed returned(Authorizations.Returned returned) throws OAuthFailure {
        return authorizations.returned(returned);
    }

    /// Ends the way: from now on there are tokens.
    public void finish(Authorizations.Agreed agreed) throws OAuthFailure, InterruptedException {
        var key = authorizations.finish(agreed);
        Optional<OAuthSession> known;
        synchronized (sessions) {
            known = Optional.ofNullable(sessions.get(key));
        }
        known.ifPresent(OAuthSession::connected);
    }

    /// Forgets the tokens of all but these upstreams.
    public void onlyKnown(Set<String> upstreams) {
        parts.store().keepTokensOf(upstreams);
        forget(key -> !upstreams.contains(key.upstream()));
    }

    /// Forgets the tokens of a caller whose key was revoked, and the ways that it began.
    public void revoked(String owner) {
        if (!owner.equals(SHARED)) {
            parts.store().removeStatesBegunBy(owner);
            parts.store().removeTokensOfOwner(owner);
            forget(key -> key.owner().equals(owner));
        }
    }

    private void forget(Predicate<OAuthRows.Key> which) {
        synchronized (sessions) {
            sessions.keySet().removeIf(which);
        }
    }
}

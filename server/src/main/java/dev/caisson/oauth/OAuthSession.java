package dev.caisson.oauth;

import dev.caisson.egress.OutgoingRequest;
import dev.caisson.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tokens of one owner for one upstream: given to requests, refreshed before they end, got again
/// when the upstream does not take them. One thread at a time asks for new ones.
public final class OAuthSession {
    /// How often within an hour an upstream may say that a token has too few scopes.
    static final int STEP_UPS_MAX = 3;

    static final Duration STEP_UPS_WITHIN = Duration.ofHours(1);

    private static final Logger LOG = LoggerFactory.getLogger(OAuthSession.class);
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;

    private final OAuthParts parts;
    private final OAuthTarget target;
    private final OAuthRows.Key key;
    private final Deque<Instant> stepUps = new ArrayDeque<>();

    /// What the upstream said last to a request without a token it takes.
    private Optional<BearerChallenge> challenge = Optional.empty();

    /// What a token must have beside what else is said.
    private List<String> wanted = List.of();

    OAuthSession(OAuthParts parts, OAuthTarget target, OAuthRows.Key key) {
        this.parts = parts;
        this.target = target;
        this.key = key;
    }

    OAuthTarget target() {
        return target;
    }

    /// Where a person connects it.
    public String connectPage() {
        return parts.connectPage().apply(target.upstream());
    }

    /// Whether there is a token, whatever the upstream thinks of it.
    boolean isConnected() {
        return kept().isPresent();
    }

    /// The token to send; empty while there is none.
    ///
    /// @throws OAuthFailure also when a person must connect the upstream, as far as that is known
    public synchronized Optional<String> token() throws OAuthFailure, InterruptedException {
        var kept = kept();
        if (kept.isEmpty()) {
            if (challenge.isPresent() && target.grant() == OAuthTarget.Grant.CODE) {
                throw visit("needs to be connected");
            }
            return Optional.empty();
        }
        var now = parts.clock().instant();
        return kept.get().endsSoon(now)
                ? Optional.of(renewed(kept.get(), now).access())
                : Optional.of(kept.get().access());
    }

    private TokenSet renewed(TokenSet kept, Instant now) throws OAuthFailure, InterruptedException {
        try {
            if (kept.refresh().isPresent()) {
                return refreshed(kept, kept.refresh().get());
            }
            if (target.grant() == OAuthTarget.Grant.CLIENT_CREDENTIALS) {
                return granted(kept.issuer(), kept.resource(), kept.scopes());
            }
        } catch (OAuthFailure failed) {
            if (failed.kind() == OAuthFailure.Kind.VISIT || kept.isOver(now)) {
                throw failed;
            }
            LOG.warn(
                    "a token for the upstream {} was not refreshed in time: {}",
                    target.upstream(),
                    failed.sentence());
            return kept;
        }
        if (kept.isOver(now)) {
            parts.store().removeTokens(key);
            throw visit("needs to be connected again: its token has expired");
        }
        return kept;
    }

    private TokenSet refreshed(TokenSet kept, String refresh)
            throws OAuthFailure, InterruptedException {
        var server = parts.server(kept.issuer(), target.address());
        try {
            return put(
                    parts.endpoint(server, parts.client(target, server))
                            .ask(
                                    kept,
                                    Map.of(
                                            "grant_type",
                                            "refresh_token",
                                            "refresh_token",
                                            refresh)));
        } catch (TokenEndpoint.Refused refused) {
            // Another server of this database may have been first.
            var others = kept();
            if (others.filter(one -> !one.access().equals(kept.access())).isPresent()) {
                return others.get();
            }
            parts.store().removeTokens(key);
            throw visit("needs to be connected again: the authorization server ended it");
        }
    }

    private TokenSet granted(String issuer, String resource, List<String> scopes)
            throws OAuthFailure, InterruptedException {
        var server = parts.server(issuer, target.address());
        var asked = TokenSet.asking(issuer, resource, scopes);
        try {
            return put(
                    parts.endpoint(server, parts.client(target, server))
                            .ask(
                                    asked,
                                    scopes.isEmpty()
                                            ? Map.of("grant_type", "client_credentials")
                                            : Map.of(
                                                    "grant_type",
                                                    "client_credentials",
                                                    "scope",
                                                    ScopeWords.text(scopes))));
        } catch (TokenEndpoint.Refused refused) {
            throw new OAuthFailure("The authorization server gives no token: invalid_grant.");
        }
    }

    private TokenSet put(TokenSet tokens) {
        parts.store().putTokens(key, tokens);
        return tokens;
    }

    /// Takes up that the upstream refused a request.
    ///
    /// @param header `WWW-Authenticate` as it came
    /// @param sent the token that was sent
    /// @return whether the request is worth sending again, with the token there is now
    /// @throws OAuthFailure when a person must connect the upstream, or nothing helps
    public synchronized boolean refused(int status, Optional<String> header, Optional<String> sent)
            throws OAuthFailure, InterruptedException {
        var said = BearerChallenge.of(header);
        return switch (status) {
            case UNAUTHORIZED -> unauthorized(said, sent);
            case FORBIDDEN -> said.wantsScopes() && stepUp(said);
            default -> false;
        };
    }

    private boolean unauthorized(BearerChallenge said, Optional<String> sent)
            throws OAuthFailure, InterruptedException {
        var kept = kept();
        if (kept.isPresent() && !kept.map(TokenSet::access).equals(sent)) {
            return true;
        }
        challenge = Optional.of(said);
        var place = place();
        if (kept.isPresent() && kept.get().issuer().equals(place.issuer())) {
            if (kept.get().refresh().isPresent()) {
                refreshed(kept.get(), kept.get().refresh().get());
                return true;
            }
        }
        if (kept.isPresent()) {
            parts.store().removeTokens(key);
        }
        return again(
                place,
                kept.isPresent() ? "does not take its token any more" : "needs to be connected");
    }

    /// The union of what it had and what is asked for now.
    private boolean stepUp(BearerChallenge said) throws OAuthFailure, InterruptedException {
        var had = kept().map(TokenSet::scopes).orElse(List.of());
        if (had.containsAll(said.scopes())) {
            throw new OAuthFailure(
                    "The upstream %s asks for rights that its token has. Whoever connected it may lack them there."
                            .formatted(target.upstream()));
        }
        if (target.grant() == OAuthTarget.Grant.CLIENT_CREDENTIALS
                && !target.scopes().containsAll(said.scopes())) {
            throw new OAuthFailure(
                    "The upstream %s asks for scopes that its entry does not name (%s). Nobody is asked for them; an operator may add them to the entry."
                            .formatted(target.upstream(), ScopeWords.text(said.scopes())));
        }
        var now = parts.clock().instant();
        stepUps.removeIf(at -> !at.plus(STEP_UPS_WITHIN).isAfter(now));
        if (stepUps.size() >= STEP_UPS_MAX) {
            throw new OAuthFailure(
                    "The upstream %s asked for more scopes %d times within an hour. An operator has to look at it."
                            .formatted(target.upstream(), STEP_UPS_MAX));
        }
        stepUps.add(now);
        wanted = ScopeWords.union(ScopeWords.union(wanted, had), said.scopes());
        challenge = Optional.of(said);
        return again(place(), "needs more rights (" + ScopeWords.text(said.scopes()) + ")");
    }

    private boolean again(Place place, String why) throws OAuthFailure, InterruptedException {
        if (target.grant() == OAuthTarget.Grant.CODE) {
            throw visit(why);
        }
        granted(place.issuer(), place.metadata().resource(), place.scopes());
        return true;
    }

    private OAuthFailure visit(String why) {
        return new OAuthFailure(
                OAuthFailure.Kind.VISIT,
                "The upstream %s %s. A person does that at %s."
                        .formatted(target.upstream(), why, connectPage()));
    }

    /// Where tokens for the upstream come from, and what is asked for.
    record Place(ResourceMetadata metadata, String issuer, List<String> scopes) {}

    /// As the upstream says now.
    private Place place() throws OAuthFailure, InterruptedException {
        var said = challenge.orElse(BearerChallenge.NONE);
        var metadata =
                ResourceMetadata.find(parts.http(), parts.addresses(), target.address(), said);
        var issuer = target.issuer().orElseGet(metadata.issuers()::getFirst);
        if (!metadata.issuers().contains(issuer)) {
            throw new OAuthFailure(
                    "The upstream does not name the issuer of its entry as its authorization"
                            + " server.");
        }
        return new Place(metadata, issuer, ScopeWords.union(wanted, scopes(said, metadata)));
    }

    private Collection<String> scopes(BearerChallenge said, ResourceMetadata metadata) {
        if (!target.scopes().isEmpty()) {
            return ScopeWords.union(
                    target.scopes(), said.wantsScopes() ? said.scopes() : List.of());
        }
        return said.scopes().isEmpty() ? metadata.scopes() : said.scopes();
    }

    /// Where a person is led to, who wants to connect the upstream.
    synchronized Place prepared() throws OAuthFailure, InterruptedException {
        if (challenge.isEmpty()) {
            challenge = Optional.of(asked());
        }
        return place();
    }

    /// What the upstream says to a request without a token.
    private BearerChallenge asked() throws OAuthFailure, InterruptedException {
        var ping = Json.object().put("jsonrpc", "2.0").put("id", 1).put("method", "ping");
        return BearerChallenge.of(
                parts.http()
                        .post(
                                "The upstream",
                                target.address(),
                                Map.of(),
                                new OutgoingRequest.Body("application/json", Json.bytes(ping)))
                        .challenge());
    }

    /// A person has agreed.
    synchronized void connected() {
        challenge = Optional.empty();
    }

    /// What there is for the upstream where it is now: of another address, or of another issuer
    /// than the one that is named, it is none.
    private Optional<TokenSet> kept() {
        return parts.store()
                .tokens(key)
                .filter(one -> ResourceMetadata.describes(one.resource(), target.address()))
                .filter(one -> target.issuer().map(one.issuer()::equals).orElse(true));
    }
}

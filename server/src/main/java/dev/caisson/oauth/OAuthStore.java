package dev.caisson.oauth;

import dev.caisson.call.Digests;
import dev.caisson.identity.Vault;
import dev.caisson.identity.VaultKey.Sealed;
import dev.caisson.json.Json;
import dev.caisson.store.Store;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Store of OAuth: registered clients by issuer, tokens by upstream and owner, authorizations under
/// way. The vault seals each to its place, so that a row which was moved or changed is none.
final class OAuthStore {
    /// How long a person may take.
    static final Duration STATE_LIFE = Duration.ofMinutes(10);

    /// How many authorizations one owner may have under way.
    static final int STATES_MAX = 20;

    private final Store store;
    private final Vault vault;
    private final Clock clock;

    OAuthStore(Store store, Vault vault, Clock clock) {
        this.store = store;
        this.vault = vault;
        this.clock = clock;
    }

    /// A client that was registered, with the address people were to be sent back to.
    ///
    /// @param redirect where people are sent back to now; a client of another is none
    Optional<OAuthClient> client(String issuer, String redirect) {
        return store.read(handle -> OAuthRows.client(handle, issuer))
                .flatMap(sealed -> opened(clientPlace(issuer), sealed))
                .filter(kept -> redirect.equals(kept.path("redirect").stringValue("")))
                .map(OAuthClient::kept);
    }

    void putClient(String issuer, String redirect, OAuthClient client) {
        var sealed = sealed(clientPlace(issuer), client.json().put("redirect", redirect));
        store.write(handle -> {
            OAuthRows.putClient(handle, issuer, sealed, clock.instant());
            return true;
        });
    }

    Optional<TokenSet> tokens(OAuthRows.Key key) {
        return store.read(handle -> OAuthRows.token(handle, key))
                .flatMap(row -> opened(tokenPlace(key, row.issuer()), row.value()))
                .map(TokenSet::kept);
    }

    void putTokens(OAuthRows.Key key, TokenSet tokens) {
        var sealed = sealed(tokenPlace(key, tokens.issuer()), tokens.json());
        store.write(handle -> {
            OAuthRows.putToken(
                    handle, key, tokens.issuer(), sealed, tokens.expires(), clock.instant());
            return true;
        });
    }

    void removeTokens(OAuthRows.Key key) {
        store.write(handle -> {
            OAuthRows.deleteTokens(handle, key);
            return true;
        });
    }

    void keepTokensOf(Set<String> upstreams) {
        for (var upstream : store.read(OAuthRows::upstreams)) {
            if (!upstreams.contains(upstream)) {
                store.write(handle -> OAuthRows.deleteTokensOf(handle, upstream));
            }
        }
    }

    void removeTokensOfOwner(String owner) {
        store.write(handle -> OAuthRows.deleteTokensOfOwner(handle, owner));
    }

    /// Forgets what a caller began and has not ended, for itself or for all.
    void removeStatesBegunBy(String caller) {
        store.write(handle -> {
            for (var owner : List.of(caller, OAuthClients.SHARED)) {
                for (var hash : OAuthRows.stateHashes(handle, owner)) {
                    OAuthRows.state(handle, hash, clock.instant())
                            .flatMap(sealed -> opened(statePlace(hash), sealed))
                            .filter(begun -> begun.path("by").stringValue("").equals(caller))
                            .ifPresent(_ -> OAuthRows.deleteState(handle, hash));
                }
            }
            return true;
        });
    }

    /// @return whether there is room for it
    boolean putState(String state, String owner, ObjectNode value) {
        var hash = hash(state);
        var sealed = sealed(statePlace(hash), value);
        var now = clock.instant();
        return store.write(handle -> {
            OAuthRows.deleteStatesBefore(handle, now);
            if (OAuthRows.states(handle, owner) >= STATES_MAX) {
                return false;
            }
            OAuthRows.putState(handle, hash, owner, sealed, now.plus(STATE_LIFE));
            return true;
        });
    }

    /// Takes it: it is there once.
    Optional<JsonNode> takeState(String state) {
        var hash = hash(state);
        return store.<Optional<Sealed>>write(
                        handle -> {
                            var found = OAuthRows.state(handle, hash, clock.instant());
                            return OAuthRows.deleteState(handle, hash) ? found : Optional.empty();
                        })
                .flatMap(sealed -> opened(statePlace(hash), sealed));
    }

    Instant now() {
        return clock.instant();
    }

    private Sealed sealed(String place, ObjectNode value) {
        return vault.seal(place, Json.text(value));
    }

    private Optional<JsonNode> opened(String place, Sealed sealed) {
        return vault.open(place, sealed).map(Json::parse);
    }

    private static String clientPlace(String issuer) {
        return "oauth-client:" + hash(issuer);
    }

    private static String tokenPlace(OAuthRows.Key key, String issuer) {
        return "oauth-token:" + hash(key.upstream() + "\n" + key.owner() + "\n" + issuer);
    }

    private static String statePlace(String hash) {
        return "oauth-state:" + hash;
    }

    static String hash(String text) {
        return Digests.sha256Hex(text.getBytes(StandardCharsets.UTF_8));
    }
}

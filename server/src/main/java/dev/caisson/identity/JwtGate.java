package dev.caisson.identity;

import dev.caisson.call.Caller;
import dev.caisson.call.Door;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Revocations;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/// Admits the holders of access tokens that one authorization server issued for this one, and the
/// holders of keys. A bearer that has not the form of a token is left to the keys.
///
/// A token is used here and sent nowhere.
public final class JwtGate implements Gate {
    /// How long a header with a token may be, in characters.
    private static final int AUTHORIZATION_MAX = SignedToken.LENGTH_MAX + 16;

    private final KeyGate keys;
    private final TokenRules rules;
    private final IssuerKeys issuer;

    /// @param issuer exactly as tokens name it
    /// @param audience what tokens must be issued for
    /// @param source fetches the keys of the issuer, or refuses with UNAVAILABLE
    public JwtGate(
            KeyGate keys, String issuer, String audience, Supplier<JsonNode> source, Clock clock) {
        this(keys, issuer, audience, source, clock, System::nanoTime);
    }

    JwtGate(
            KeyGate keys,
            String issuer,
            String audience,
            Supplier<JsonNode> source,
            Clock clock,
            LongSupplier nanoTime) {
        this.keys = keys;
        this.rules = new TokenRules(issuer, audience, clock);
        this.issuer = new IssuerKeys(source, nanoTime);
    }

    @Override
    public Caller admit(Door door, String clientAddress, Optional<String> authorization) {
        var bearer =
                authorization
                        .filter(header -> header.length() <= AUTHORIZATION_MAX)
                        .flatMap(KeyGate::bearer)
                        .filter(SignedToken::isMeant);
        return bearer.isEmpty()
                ? keys.admit(door, clientAddress, authorization)
                : holder(clientAddress, bearer.get());
    }

    private Caller holder(String clientAddress, String bearer) {
        var token =
                SignedToken.read(bearer)
                        .orElseThrow(
                                () -> refusal(clientAddress, "The access token cannot be read."));
        var algorithm =
                SigningKey.Algorithm.of(token.headed("alg").orElse(""))
                        .orElseThrow(() ->
                                refusal(
                                        clientAddress,
                                        "The access token must be signed with RS256, ES256 or"
                                                + " EdDSA."));
        rules.complaint(token)
                .ifPresent(complaint -> {
                    throw refusal(clientAddress, complaint);
                });
        if (!issuer.signed(token, algorithm)) {
            throw refusal(clientAddress, "The access token was not signed by a key of its issuer.");
        }
        return TokenCaller.of(token);
    }

    private Refusal refusal(String clientAddress, String sentence) {
        return keys.refusal(
                clientAddress,
                new Refusal(
                        Reason.UNAUTHORIZED,
                        sentence,
                        Map.of(Refusal.CHALLENGE_ERROR, "invalid_token")));
    }

    @Override
    public Revocations revocations() {
        return keys.revocations();
    }
}

package dev.caisson.oauth;

import dev.caisson.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Tokens that an authorization server gave, and what they are for.
///
/// @param issuer that gave them
/// @param resource that they are for
/// @param scopes that were given, or asked for where the server does not say
/// @param expires empty when nobody knows
record TokenSet(
        String issuer,
        String resource,
        String access,
        Optional<String> refresh,
        List<String> scopes,
        Optional<Instant> expires) {
    /// How long before its end a token is refreshed.
    static final Duration EARLY = Duration.ofSeconds(60);

    /// How long a token may be, in characters.
    static final int LENGTH_MAX = 16 << 10;

    private static final double SECONDS_MAX = Duration.ofDays(365).toSeconds();
    private static final Pattern TOKEN = Pattern.compile("[\\x21-\\x7e]+");

    TokenSet {
        scopes = List.copyOf(scopes);
    }

    /// Of the answer of a token endpoint.
    ///
    /// @param asked what the answer does not say is as it was
    static TokenSet read(TokenSet asked, JsonNode answer, Instant now) throws OAuthFailure {
        var access = answer.path("access_token").stringValue("");
        if (!isToken(access)
                || !answer.path("token_type").asString("").equalsIgnoreCase("bearer")) {
            throw new OAuthFailure("The authorization server gave no bearer token.");
        }
        var seconds = answer.path("expires_in");
        return new TokenSet(
                asked.issuer,
                asked.resource,
                access,
                Optional.of(answer.path("refresh_token").stringValue(""))
                        .filter(TokenSet::isToken)
                        .or(asked::refresh),
                Optional.ofNullable(answer.path("scope").stringValue(null))
                        .map(ScopeWords::read)
                        .orElse(asked.scopes),
                seconds.isNumber()
                        ? Optional.of(
                                now.plusSeconds(
                                        (long) Math.clamp(seconds.doubleValue(), 0, SECONDS_MAX)))
                        : Optional.empty());
    }

    /// Nothing yet, of what is asked for.
    static TokenSet asking(String issuer, String resource, List<String> scopes) {
        return new TokenSet(issuer, resource, "", Optional.empty(), scopes, Optional.empty());
    }

    private static boolean isToken(String text) {
        return text.length() <= LENGTH_MAX && TOKEN.matcher(text).matches();
    }

    boolean isOver(Instant now) {
        return expires.filter(end -> !now.isBefore(end)).isPresent();
    }

    boolean endsSoon(Instant now) {
        return isOver(now.plus(EARLY));
    }

    ObjectNode json() {
        var document =
                Json.object()
                        .put("issuer", issuer)
                        .put("resource", resource)
                        .put("access", access)
                        .put("scope", ScopeWords.text(scopes));
        refresh.ifPresent(text -> document.put("refresh", text));
        expires.ifPresent(end -> document.put("expires", end.toEpochMilli()));
        return document;
    }

    static TokenSet kept(JsonNode document) {
        var expires = document.path("expires");
        return new TokenSet(
                document.path("issuer").stringValue(""),
                document.path("resource").stringValue(""),
                document.path("access").stringValue(""),
                Optional.ofNullable(document.path("refresh").stringValue(null)),
                ScopeWords.read(document.path("scope").stringValue("")),
                expires.isNumber()
                        ? Optional.of(Instant.ofEpochMilli(expires.longValue()))
                        : Optional.empty());
    }

    /// Without the tokens.
    @Override
    public String toString() {
        return "TokenSet[" + issuer + "]";
    }
}

package dev.caisson.identity;

import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Rules for the header and the claims of an access token.
///
/// @param issuer exactly as tokens name it
/// @param audience what tokens must be issued for
record TokenRules(String issuer, String audience, Clock clock) {
    /// How far the clocks of this server and the issuer may be apart.
    static final Duration SKEW = Duration.ofSeconds(60);

    /// How long a subject may be, in characters.
    static final int SUBJECT_MAX = 255;

    /// What is wrong with it; empty when nothing is.
    Optional<String> complaint(SignedToken token) {
        if (token.header().has("crit")) {
            return Optional.of("The access token has an extension that is not understood here.");
        }
        if (!token.claimed("iss").filter(issuer::equals).isPresent()) {
            return Optional.of("The access token is of another issuer than " + issuer + ".");
        }
        if (!names(token.claims().path("aud"), audience)) {
            return Optional.of(
                    "The access token was issued for another server; its audience must be "
                            + audience
                            + ".");
        }
        if (token.claimed("sub").filter(TokenRules::isSubject).isEmpty()) {
            return Optional.of("The access token names no subject.");
        }
        return timed(token);
    }

    private Optional<String> timed(SignedToken token) {
        var now = clock.instant().getEpochSecond();
        var expires = token.claims().path("exp");
        if (!expires.isNumber()) {
            return Optional.of("The access token does not say when it expires.");
        }
        if (expires.doubleValue() + SKEW.toSeconds() <= now) {
            return Optional.of("The access token has expired. Get a new one.");
        }
        var begins = token.claims().path("nbf");
        if (!begins.isMissingNode()
                && !(begins.isNumber() && begins.doubleValue() - SKEW.toSeconds() <= now)) {
            return Optional.of("The access token is not valid yet.");
        }
        return Optional.empty();
    }

    private static boolean isSubject(String subject) {
        return !subject.isEmpty() && subject.length() <= SUBJECT_MAX;
    }

    private static boolean names(JsonNode said, String wanted) {
        return said.isArray()
                ? said.valueStream().anyMatch(one -> wanted.equals(one.stringValue(null)))
                : wanted.equals(said.stringValue(null));
    }
}

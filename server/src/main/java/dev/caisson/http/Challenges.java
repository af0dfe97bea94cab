package dev.caisson.http;

import dev.caisson.call.Refusal;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/// Challenges to send a token, or one with more scopes: what `WWW-Authenticate` says (RFC 6750, RFC
/// 9728).
///
/// @param tokens empty where callers have keys alone
record Challenges(Optional<TokenResource> tokens) {
    static final String HEADER = "WWW-Authenticate";

    /// To a caller whom nobody knows.
    String unknown(Refusal refusal) {
        return tokens.map(resource -> unknown(refusal, resource)).orElse("Bearer");
    }

    private static String unknown(Refusal refusal, TokenResource resource) {
        var error =
                refusal.details().get(Refusal.CHALLENGE_ERROR) instanceof String word
                        ? "error=\"" + word + "\", "
                        : "";
        return "Bearer " + error + where(resource, resource.usualScopes());
    }

    /// To a caller whose token has too few scopes; empty where that is not the reason.
    Optional<String> lacking(Refusal refusal) {
        return refusal.details().get(Refusal.SCOPES) instanceof Collection<?> needed
                ? lacking(needed.stream().map(String::valueOf).toList())
                : Optional.empty();
    }

    /// @param scopes as keys have them, of which it needs one: the first is asked for
    Optional<String> lacking(List<String> scopes) {
        return tokens.map(resource ->
                "Bearer error=\"insufficient_scope\", "
                        + where(resource, resource.named(scopes.stream().limit(1).toList())));
    }

    private static String where(TokenResource resource, List<String> scopes) {
        return "resource_metadata=\"%s\", scope=\"%s\""
                .formatted(resource.metadata(), String.join(" ", scopes));
    }
}

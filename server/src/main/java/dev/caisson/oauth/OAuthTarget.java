package dev.caisson.oauth;

import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Upstream that is reached with tokens, as an operator set it.
///
/// @param upstream its id
/// @param address of its endpoint
/// @param issuer of the tokens; empty for the first that the upstream names
/// @param client as it was registered by hand; asked for each time, for it has a secret
/// @param scopes to ask for, in place of what the upstream says
public record OAuthTarget(
        String upstream,
        URI address,
        Grant grant,
        Optional<String> issuer,
        Supplier<Optional<OAuthClient>> client,
        List<String> scopes) {
    /// How tokens are got.
    public enum Grant {
        /// A person agrees, at a page of the authorization server.
        CODE,
        /// The client is its own authority.
        CLIENT_CREDENTIALS
    }

    public OAuthTarget {
        scopes = List.copyOf(scopes);
    }

    /// Whether tokens for this one serve the other as well.
    boolean isLike(OAuthTarget other) {
        return address.equals(other.address)
                && grant == other.grant
                && issuer.equals(other.issuer)
                && scopes.equals(other.scopes);
    }
}

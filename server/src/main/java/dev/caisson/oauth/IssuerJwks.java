package dev.caisson.oauth;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.util.Optional;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/// Keys of an authorization server whose tokens this server takes (RFC 7517), fetched each time
/// they are asked for, from the address that its metadata names.
public final class IssuerJwks implements Supplier<JsonNode> {
    private final OAuthHttp http;
    private final OAuthAddresses addresses;
    private final String issuer;

    public IssuerJwks(OAuthHttp http, OAuthAddresses addresses, String issuer) {
        this.http = http;
        this.addresses = addresses;
        this.issuer = issuer;
    }

    /// @throws Refusal UNAVAILABLE when they cannot be fetched
    @Override
    public JsonNode get() {
        try {
            var metadata = ServerMetadata.find(http, addresses, issuer, Optional.empty());
            var address =
                    metadata.keys()
                            .orElseThrow(() -> new OAuthFailure("Its metadata names no jwks_uri."));
            return http.find("Its jwks_uri", address)
                    .orElseThrow(() -> new OAuthFailure("There is nothing at its jwks_uri."));
        } catch (OAuthFailure failed) {
            throw new Refusal(
                    Reason.UNAVAILABLE,
                    "The keys of the authorization server "
                            + issuer
                            + " cannot be had. "
                            + failed.sentence());
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw Refusal.stopping("The server is stopping.");
        }
    }
}

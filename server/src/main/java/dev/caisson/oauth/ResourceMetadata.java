package dev.caisson.oauth;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Metadata of a protected resource (RFC 9728), which names its authorization server.
///
/// @param resource what tokens are asked for
/// @param issuers of its tokens, as it names them
/// @param scopes there are
record ResourceMetadata(String resource, List<String> issuers, List<String> scopes) {
    ResourceMetadata {
        issuers = List.copyOf(issuers);
        scopes = List.copyOf(scopes);
    }

    /// Where the challenge says, or else at the well-known addresses. What it describes must be the
    /// upstream.
    static ResourceMetadata find(
            OAuthHttp http, OAuthAddresses addresses, URI upstream, BearerChallenge challenge)
            throws OAuthFailure, InterruptedException {
        var what = "The metadata of the upstream's authorization";
        for (var place : places(addresses, upstream, challenge)) {
            var found = http.find(what, place);
            if (found.isPresent()) {
                return read(upstream, found.get());
            }
        }
        throw new OAuthFailure(what + " is neither where it says nor at a well-known address.");
    }

    private static List<URI> places(
            OAuthAddresses addresses, URI upstream, BearerChallenge challenge) throws OAuthFailure {
        var own = Optional.of(upstream);
        if (challenge.metadata().isPresent()) {
            return List.of(
                    addresses.checked(
                            "What the upstream names as resource_metadata",
                            challenge.metadata().get(),
                            own));
        }
        var places = new ArrayList<URI>();
        for (var text : WellKnown.resource(upstream)) {
            places.add(addresses.checked("The upstream", text, own));
        }
        return places;
    }

    private static ResourceMetadata read(URI upstream, JsonNode document) throws OAuthFailure {
        var resource = document.path("resource").stringValue("");
        if (!describes(resource, upstream)) {
            throw new OAuthFailure(
                    "The metadata of the upstream's authorization is about another resource.");
        }
        var issuers = ServerMetadata.strings(document.path("authorization_servers"));
        if (issuers.isEmpty()) {
            throw new OAuthFailure(
                    "The metadata of the upstream's authorization names no authorization server.");
        }
        return new ResourceMetadata(
                resource,
                issuers,
                ScopeWords.sound(
                        ServerMetadata.strings(document.path("scopes_supported")).stream()));
    }

    /// Whether it is the upstream, or what the upstream is below, of the same origin.
    static boolean describes(String resource, URI upstream) {
        try {
            var said = URI.create(resource);
            if (said.getScheme() == null
                    || said.getHost() == null
                    || said.getRawFragment() != null
                    || !OAuthAddresses.origin(said).equals(OAuthAddresses.origin(upstream))) {
                return false;
            }
            return below(said).isEmpty() || (below(upstream) + "/").startsWith(below(said) + "/");
        } catch (IllegalArgumentException none) {
            return false;
        }
    }

    private static String below(URI address) {
        var path = address.getRawPath() == null ? "" : address.getRawPath();
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }
}

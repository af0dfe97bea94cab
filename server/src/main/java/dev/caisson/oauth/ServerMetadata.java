package dev.caisson.oauth;

import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// Metadata of an authorization server (RFC 8414), as far as a client uses it. All its addresses
/// were checked.
///
/// @param issuer exactly as it was asked for
/// @param pkceMethods empty when it does not say that it has any
/// @param clientMethods how a client may authenticate; empty when it does not say
/// @param namesIssuer whether it says who it is when it sends a user back (RFC 9207)
/// @param takesMetadataDocuments whether the id of a client may be the address of a document
/// @param scopes there are
record ServerMetadata(
        String issuer,
        Optional<URI> authorization,
        Optional<URI> token,
        Optional<URI> registration,
        Optional<URI> keys,
        Set<String> pkceMethods,
        Optional<Set<String>> clientMethods,
        boolean namesIssuer,
        boolean takesMetadataDocuments,
        Set<String> scopes) {
    private static final int LIST_MAX = 100;

    ServerMetadata {
        pkceMethods = Set.copyOf(pkceMethods);
        clientMethods = clientMethods.map(Set::copyOf);
        scopes = Set.copyOf(scopes);
    }

    /// Looks where the specification says, in that order. Whoever answers must be who was asked.
    ///
    /// @param own of the upstream whose authorization server it is
    static ServerMetadata find(
            OAuthHttp http, OAuthAddresses addresses, String issuer, Optional<URI> own)
            throws OAuthFailure, InterruptedException {
        var asked = addresses.checked("The issuer", issuer, own);
        if (asked.getRawQuery() != null) {
            throw new OAuthFailure("The issuer is an address with a query.");
        }
        var what = "The metadata of the authorization server";
        for (var address : WellKnown.server(asked)) {
            var found = http.find(what, URI.create(address));
            if (found.isPresent()) {
                return read(addresses, issuer, own, found.get());
            }
        }
        throw new OAuthFailure(what + " is at none of its well-known addresses.");
    }

    private static ServerMetadata read(
            OAuthAddresses addresses, String issuer, Optional<URI> own, JsonNode document)
            throws OAuthFailure {
        if (!issuer.equals(document.path("issuer").stringValue(null))) {
            throw new OAuthFailure(
                    "The metadata of the authorization server names another issuer than the one"
                            + " that was asked.");
        }
        var read = new Members(addresses, own, document);
        return new ServerMetadata(
                issuer,
                read.address("authorization_endpoint"),
                read.address("token_endpoint"),
                read.address("registration_endpoint"),
                read.address("jwks_uri"),
                words(document.path("code_challenge_methods_supported")),
                Optional.of(document.path("token_endpoint_auth_methods_supported"))
                        .filter(JsonNode::isArray)
                        .map(ServerMetadata::words),
                document.path("authorization_response_iss_parameter_supported").asBoolean(false),
                document.path("client_id_metadata_document_supported").asBoolean(false),
                words(document.path("scopes_supported")));
    }

    private record Members(OAuthAddresses addresses, Optional<URI> own, JsonNode document) {
        Optional<URI> address(String member) throws OAuthFailure {
            var text = document.path(member).stringValue(null);
            return text == null
                    ? Optional.empty()
                    : Optional.of(
                            addresses.checked(
                                    "What the authorization server names as " + member, text, own));
        }
    }

    static Set<String> words(JsonNode list) {
        return strings(list).stream().collect(Collectors.toUnmodifiableSet());
    }

    /// The texts of a list, not too many.
    static List<String> strings(JsonNode list) {
        return list.valueStream()
                .limit(LIST_MAX)
                .filter(JsonNode::isString)
                .map(JsonNode::stringValue)
                .toList();
    }
}

package dev.caisson.oauth;

import dev.caisson.egress.OutgoingRequest;
import dev.caisson.json.Json;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/// Registration of this server at authorization servers: the document that its id may be the
/// address of, and dynamic registration (RFC 7591) where nothing else is offered.
///
/// @param redirect where people are sent back to
/// @param document where the document is; empty where it cannot be fetched from elsewhere
public record Registration(URI redirect, Optional<URI> document) {
    private static final String NAME = "Caisson";

    /// The document at its address.
    public static ObjectNode document(URI address, URI redirect) {
        return about(redirect, OAuthClient.NO_METHOD).put("client_id", address.toString());
    }

    private static ObjectNode about(URI redirect, String method) {
        var about =
                Json.object()
                        .put("client_name", NAME)
                        .put("token_endpoint_auth_method", method)
                        .put("application_type", isHere(redirect) ? "native" : "web");
        about.putArray("redirect_uris").add(redirect.toString());
        about.putArray("grant_types").add("authorization_code").add("refresh_token");
        about.putArray("response_types").add("code");
        return about;
    }

    /// Whether people are sent back to the machine they sit at.
    private static boolean isHere(URI redirect) {
        return Set.of("localhost", "127.0.0.1", "[::1]")
                .contains(String.valueOf(redirect.getHost()));
    }

    /// Asks to be registered.
    OAuthClient register(OAuthHttp http, ServerMetadata server)
            throws OAuthFailure, InterruptedException {
        var address =
                server.registration()
                        .orElseThrow(() ->
                                new OAuthFailure(
                                        "The authorization server registers no clients by itself."
                                                + " Register this server there with the redirect URI "
                                                + redirect
                                                + ", and write its client_id in the credentials of the"
                                                + " upstream."));
        var body = about(redirect, method(server.clientMethods()));
        var what = "The registration at the authorization server";
        var answer =
                http.post(
                        what,
                        address,
                        Map.of(),
                        new OutgoingRequest.Body("application/json", Json.bytes(body)));
        return answer.body()
                .filter(_ -> answer.status() / 100 == 2)
                .flatMap(OAuthClient::read)
                .orElseThrow(() ->
                        new OAuthFailure(
                                what + " was answered with status " + answer.status() + "."));
    }

    /// A public client is enough: PKCE binds the code to who asked for it.
    private static String method(Optional<Set<String>> taken) {
        return taken.map(words ->
                        words.contains(OAuthClient.NO_METHOD)
                                ? OAuthClient.NO_METHOD
                                : OAuthClient.method(Optional.empty(), taken))
                .orElse(OAuthClient.NO_METHOD);
    }
}

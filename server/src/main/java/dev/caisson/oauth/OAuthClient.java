package dev.caisson.oauth;

import dev.caisson.json.Json;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// This server as a client of one authorization server.
///
/// @param id its name there
public record OAuthClient(String id, Proof proof) {
    static final String NO_METHOD = "none";
    static final String BASIC = "client_secret_basic";
    static final String POST = "client_secret_post";

    /// How it proves that it is this client.
    public sealed interface Proof {
        /// It proves nothing.
        record None() implements Proof {}

        /// @param method as the authorization server named it; empty when it is to be chosen
        record Secret(String secret, Optional<String> method) implements Proof {
            /// Without the secret.
            @Override
            public String toString() {
                return "Secret[]";
            }
        }

        /// It signs an assertion (RFC 7523).
        ///
        /// @param pem PKCS #8
        record PrivateKey(String pem) implements Proof {
            /// Without the key.
            @Override
            public String toString() {
                return "PrivateKey[]";
            }
        }
    }

    /// Of what was written of it, or of what an authorization server answered to its registration.
    static Optional<OAuthClient> read(JsonNode document) {
        var id = document.path("client_id").stringValue("");
        var secret = document.path("client_secret").stringValue("");
        var method =
                Optional.ofNullable(document.path("token_endpoint_auth_method").stringValue(null));
        if (id.isEmpty() || id.length() > OAuthAddresses.LENGTH_MAX || secret.length() > 4096) {
            return Optional.empty();
        }
        var open = secret.isEmpty() || method.filter(NO_METHOD::equals).isPresent();
        return Optional.of(
                new OAuthClient(id, open ? new Proof.None() : new Proof.Secret(secret, method)));
    }

    /// As it is kept, sealed.
    ObjectNode json() {
        var document = Json.object().put("client_id", id);
        switch (proof) {
            case Proof.None _ -> document.put("token_endpoint_auth_method", NO_METHOD);
            case Proof.Secret(var secret, var method) -> {
                document.put("client_secret", secret);
                method.ifPresent(word -> document.put("token_endpoint_auth_method", word));
            }
            case Proof.PrivateKey(var pem) -> document.put("private_key", pem);
        }
        return document;
    }

    /// Of what was kept.
    static OAuthClient kept(JsonNode document) {
        var pem = document.path("private_key").stringValue("");
        return pem.isEmpty()
                ? read(document).orElseThrow()
                : new OAuthClient(
                        document.path("client_id").stringValue(""), new Proof.PrivateKey(pem));
    }

    /// How a secret is sent: as it was agreed on, or as the server says it takes it.
    static String method(Optional<String> agreed, Optional<Set<String>> taken) {
        return agreed.or(() ->
                        taken.filter(words -> !words.contains(BASIC) && words.contains(POST))
                                .map(_ -> POST))
                .orElse(BASIC);
    }
}

package dev.caisson.upstream;

import dev.caisson.oauth.OAuthTarget;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Credentials that this server presents to an upstream. They never come from a caller.
public sealed interface Credentials {
    /// Nothing is presented.
    record None() implements Credentials {}

    /// Headers of every request.
    record Headers(Map<String, SecretText> headers) implements Credentials {
        public Headers {
            headers = Map.copyOf(headers);
        }
    }

    /// Tokens of an authorization server.
    ///
    /// @param issuer of the tokens; empty for the one that the upstream names
    /// @param clientId of a client that was registered by hand at that issuer
    /// @param scopes to ask for, in place of what the upstream says
    record OAuth(
            OAuthTarget.Grant grant,
            Optional<String> issuer,
            Optional<String> clientId,
            Optional<SecretText> clientSecret,
            Optional<SecretText> privateKey,
            List<String> scopes)
            implements Credentials {
        public OAuth {
            scopes = List.copyOf(scopes);
        }
    }

    /// Variables of the environment of a process.
    record Variables(Map<String, SecretText> env) implements Credentials {
        public Variables {
            env = Map.copyOf(env);
        }
    }
}

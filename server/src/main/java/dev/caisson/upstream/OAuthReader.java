package dev.caisson.upstream;

import dev.caisson.oauth.OAuthTarget;
import dev.caisson.upstream.UpstreamBody.CredentialsBody;
import dev.caisson.upstream.UpstreamBody.Kind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Reader of credentials that are tokens of an authorization server.
final class OAuthReader {
    static final Set<Kind> KINDS = Set.of(Kind.OAUTH, Kind.CLIENT_CREDENTIALS);

    private static final Pattern SCOPE = Pattern.compile("[\\x21\\x23-\\x5b\\x5d-\\x7e]{1,256}");
    private static final Pattern ISSUER = Pattern.compile("https?://[^?#\\s]+");
    private static final String LEAVE_OUT = "Leave it out.";

    private final UpstreamReader reader;

    OAuthReader(UpstreamReader reader) {
        this.reader = reader;
    }

    /// Of another kind it has none of these members.
    void none(CredentialsBody given, String kind) {
        Map.of(
                        "issuer",
                        given.issuer().isPresent(),
                        "client_id",
                        given.clientId().isPresent(),
                        "client_secret",
                        given.clientSecret().isPresent(),
                        "private_key",
                        given.privateKey().isPresent(),
                        "scopes",
                        given.scopes().isPresent())
                .forEach((member, there) -> {
                    if (there) {
                        mistake(member, "has no meaning with kind " + kind, LEAVE_OUT);
                    }
                });
    }

    Credentials read(CredentialsBody given) {
        var client = given.kind() == Kind.CLIENT_CREDENTIALS;
        if (given.issuer().filter(text -> !ISSUER.matcher(text).matches()).isPresent()) {
            mistake(
                    "issuer",
                    "is no address without a query",
                    "Write it as the authorization server names itself.");
        }
        if (given.clientId().isPresent() && given.issuer().isEmpty()) {
            mistake(
                    "issuer",
                    "is missing beside client_id",
                    "Write where the client was registered: its secret goes nowhere else.");
        }
        if (given.clientId().isEmpty()
                && (given.clientSecret().isPresent() || given.privateKey().isPresent())) {
            mistake("client_id", "is missing", "Write the id of the client.");
        }
        if (given.clientSecret().isPresent() && given.privateKey().isPresent()) {
            mistake("private_key", "stands beside client_secret", "Write one of them.");
        }
        if (client && given.clientSecret().isEmpty() && given.privateKey().isEmpty()) {
            mistake(
                    "client_secret",
                    "is missing, and so is private_key",
                    "Keep one in the vault and write ${secret:name}.");
        }
        if (!given.scopes().orElse(List.of()).stream().allMatch(SCOPE.asMatchPredicate())) {
            mistake("scopes", "has what is no scope", "Write words such as files:read.");
        }
        return new Credentials.OAuth(
                client ? OAuthTarget.Grant.CLIENT_CREDENTIALS : OAuthTarget.Grant.CODE,
                given.issuer(),
                given.clientId(),
                secret("client_secret", given.clientSecret()),
                secret("private_key", given.privateKey()),
                given.scopes().orElse(List.of()));
    }

    private Optional<SecretText> secret(String member, Optional<String> given) {
        return given.map(text -> {
            var secret = reader.secret("credentials." + member, text);
            if (secret.names().isEmpty() || secret.isOfCallers()) {
                mistake(
                        member,
                        "is not ${secret:name}",
                        "Keep the value in the vault, with `caisson secret set`.");
            }
            return secret;
        });
    }

    private void mistake(String member, String problem, String remedy) {
        reader.mistake("credentials." + member, problem, remedy);
    }
}

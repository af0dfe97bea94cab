package dev.caisson.upstream;

import dev.caisson.call.ToolErrorType;
import dev.caisson.oauth.OAuthFailure;
import dev.caisson.oauth.OAuthSession;
import dev.caisson.upstream.connection.RequestCredentials;
import dev.caisson.upstream.connection.UpstreamFailure;
import java.util.Map;
import java.util.Optional;

/// Access token of one owner as the credentials of requests to an upstream. What the upstream says
/// of it is taken up; the token goes to no other address.
///
/// @param values strikes each token from whatever the upstream says
record TokenCredentials(OAuthSession session, CredentialValues values)
        implements RequestCredentials {
    private static final String HEADER = "Authorization";
    private static final String BEARER = "Bearer ";

    @Override
    public Map<String, String> headers() throws UpstreamFailure, InterruptedException {
        try {
            var token = session.token();
            token.ifPresent(values::uses);
            return token.map(text -> Map.of(HEADER, BEARER + text)).orElse(Map.of());
        } catch (OAuthFailure failure) {
            throw failed(failure, false);
        }
    }

    @Override
    public boolean refused(int status, Optional<String> challenge, Map<String, String> sent)
            throws UpstreamFailure, InterruptedException {
        try {
            var token =
                    Optional.ofNullable(sent.get(HEADER))
                            .map(text -> text.substring(BEARER.length()));
            return session.refused(status, challenge, token);
        } catch (OAuthFailure failure) {
            // The upstream said no, so nothing was done.
            throw failed(failure, true);
        }
    }

    /// One whose owner a person must connect first is told so before anything is connected.
    void require() throws UpstreamFailure, InterruptedException {
        headers();
    }

    private UpstreamFailure failed(OAuthFailure failure, boolean sent) {
        return switch (failure.kind()) {
            case VISIT -> UpstreamFailure.visit(sent, failure.sentence(), session.connectPage());
            case SERVER ->
                    new UpstreamFailure(
                            ToolErrorType.AUTHORIZATION_REQUIRED, sent, failure.sentence());
        };
    }

    /// Without the token.
    @Override
    public String toString() {
        return "TokenCredentials[]";
    }
}

package dev.caisson.upstream;

import dev.caisson.oauth.OAuthClient;
import dev.caisson.oauth.OAuthTarget;
import java.util.Optional;
import java.util.function.Supplier;

/// Entries of upstreams that are reached with tokens, as the room of OAuth takes them.
final class OAuthEntries {
    private OAuthEntries() {}

    /// @param client as it was registered by hand; asked for each time
    static Optional<OAuthTarget> target(
            UpstreamSettings settings, Supplier<Optional<OAuthClient>> client) {
        return settings.credentials() instanceof Credentials.OAuth given
                        && settings.peer() instanceof Peer.Remote remote
                ? Optional.of(
                        new OAuthTarget(
                                settings.id(),
                                remote.url(),
                                given.grant(),
                                given.issuer(),
                                client,
                                given.scopes()))
                : Optional.empty();
    }
}

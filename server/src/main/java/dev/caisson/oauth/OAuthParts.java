package dev.caisson.oauth;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/// Parts that every flow needs.
///
/// @param registration this server as authorization servers see it
/// @param connectPage the address of the page at which a person connects an upstream
record OAuthParts(
        OAuthHttp http,
        OAuthAddresses addresses,
        OAuthStore store,
        Clock clock,
        Supplier<Registration> registration,
        UnaryOperator<String> connectPage,
        Map<String, Known> servers) {
    /// How long the metadata of an authorization server counts.
    private static final Duration AGE_MAX = Duration.ofMinutes(10);

    private static final int SERVERS_MAX = 1_000;

    /// Metadata as it was a moment ago.
    record Known(ServerMetadata server, long readAt) {}

    OAuthParts(
            OAuthHttp http,
            OAuthAddresses addresses,
            OAuthStore store,
            Clock clock,
            Supplier<Registration> registration,
            UnaryOperator<String> connectPage) {
        this(http, addresses, store, clock, registration, connectPage, new ConcurrentHashMap<>());
    }

    /// An authorization server by its issuer.
    ///
    /// @param upstream whose it is
    ServerMetadata server(String issuer, URI upstream) throws OAuthFailure, InterruptedException {
        var place = OAuthAddresses.origin(upstream) + " " + issuer;
        var known = servers.get(place);
        var now = System.nanoTime();
        if (known != null && now - known.readAt() < AGE_MAX.toNanos()) {
            return known.server();
        }
        var found = ServerMetadata.find(http, addresses, issuer, Optional.of(upstream));
        if (servers.size() >= SERVERS_MAX) {
            servers.clear();
        }
        servers.put(place, new Known(found, now));
        return found;
    }

    TokenEndpoint endpoint(ServerMetadata server, OAuthClient client) throws OAuthFailure {
        return new TokenEndpoint(
                http,
                clock,
                server.token()
                        .orElseThrow(() ->
                                new OAuthFailure(
                                        "The authorization server names no token endpoint.")),
                server.issuer(),
                server.clientMethods(),
                client);
    }

    /// This server as a client of that one: as an operator wrote it, by the address of a document,
    /// or registered now and kept.
    OAuthClient client(OAuthTarget target, ServerMetadata server)
            throws OAuthFailure, InterruptedException {
        var configured = target.client().get();
        if (configured.isPresent()) {
            return configured.get();
        }
        var self = registration.get();
        if (server.takesMetadataDocuments() && self.document().isPresent()) {
            return new OAuthClient(self.document().get().toString(), new OAuthClient.Proof.None());
        }
        var redirect = self.redirect().toString();
        var kept = store.client(server.issuer(), redirect);
        if (kept.isPresent()) {
            return kept.get();
        }
        var made = self.register(http, server);
        store.putClient(server.issuer(), redirect, made);
        return made;
    }
}

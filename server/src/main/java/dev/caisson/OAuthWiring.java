package dev.caisson;

import dev.caisson.egress.OutgoingHttp;
import dev.caisson.http.Exchange;
import dev.caisson.http.Routes;
import dev.caisson.identity.Vault;
import dev.caisson.json.Json;
import dev.caisson.oauth.OAuthAddresses;
import dev.caisson.oauth.OAuthClients;
import dev.caisson.oauth.OAuthHttp;
import dev.caisson.oauth.Registration;
import dev.caisson.rest.OAuthCallback;
import dev.caisson.store.Store;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Wiring of OAuth as this server speaks it to upstreams. Authorization servers send people back to
/// where clients reach this server.
final class OAuthWiring {
    private static final String CALLBACK = "/oauth/callback";
    private static final String DOCUMENT = "/oauth/client.json";

    final OAuthClients clients;

    /// Known when the server listens.
    private volatile String base = "http://127.0.0.1";

    OAuthWiring(
            Store store, Vault vault, Clock clock, OutgoingHttp http, Set<String> privateHosts) {
        clients =
                new OAuthClients(
                        store,
                        vault,
                        clock,
                        new OAuthHttp(http),
                        new OAuthAddresses(privateHosts),
                        this::registration,
                        upstream -> connectPage(base, upstream));
    }

    /// The page of the console at which a person connects an upstream.
    static String connectPage(String base, String upstream) {
        return base + "/#/tools/connect%3A" + upstream;
    }

    /// @param address without a slash at its end
    void servedAt(String address) {
        base = address;
    }

    /// The document is of use where others can fetch it.
    private Registration registration() {
        return new Registration(
                URI.create(base + CALLBACK),
                base.startsWith("https://")
                        ? Optional.of(URI.create(base + DOCUMENT))
                        : Optional.empty());
    }

    /// Adds where people come back to, and the document.
    Routes.Builder addTo(Routes.Builder routes, OAuthCallback callback) {
        return routes.exact(CALLBACK, callback).exact(DOCUMENT, this::document);
    }

    private void document(Exchange exchange) {
        exchange.admittedByAddress();
        if (!List.of("GET", "HEAD").contains(exchange.method())) {
            exchange.reply(405, Map.of("Allow", "GET, HEAD"), new byte[0]);
            return;
        }
        var document =
                Registration.document(URI.create(base + DOCUMENT), URI.create(base + CALLBACK));
        exchange.reply(200, Map.of("Content-Type", "application/json"), Json.bytes(document));
    }
}

package dev.caisson.upstream;

import dev.caisson.call.Caller;
import dev.caisson.egress.OutgoingHttp;
import dev.caisson.identity.Vault;
import dev.caisson.identity.VaultKey;
import dev.caisson.json.Json;
import dev.caisson.oauth.Authorizations.Returned;
import dev.caisson.oauth.OAuthAddresses;
import dev.caisson.oauth.OAuthClients;
import dev.caisson.oauth.OAuthFailure;
import dev.caisson.oauth.OAuthHttp;
import dev.caisson.oauth.Registration;
import dev.caisson.store.Store;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// OAuth of the client that the conformance suite examines: an operator who writes what the suite
/// says, and a person who agrees to everything.
final class ConformanceTokens {
    /// Where the suite expects the document of a client.
    private static final URI DOCUMENT =
            URI.create("https://conformance-test.local/client-metadata.json");

    private static final URI REDIRECT = URI.create("http://127.0.0.1:1/oauth/callback");

    private final JsonNode context;
    final OAuthClients clients;

    /// @param directory of its database
    /// @param context what the suite says
    ConformanceTokens(OutgoingHttp http, Path directory, JsonNode context) {
        this.context = context;
        var clock = Clock.systemUTC();
        var store = Store.open(directory.resolve("tokens.db"));
        clients =
                new OAuthClients(
                        store,
                        new Vault(store, clock, VaultKey.of(new byte[32])),
                        clock,
                        new OAuthHttp(http),
                        new OAuthAddresses(Set.of("localhost", "127.0.0.1")),
                        () -> new Registration(REDIRECT, Optional.of(DOCUMENT)),
                        upstream -> "page of " + upstream);
    }

    /// What an operator writes.
    ObjectNode entry(String scenario, URI server) throws IOException, InterruptedException {
        var entry = Json.object();
        var client = scenario.contains("client-credentials");
        entry.put("kind", client ? "client_credentials" : "oauth");
        if (context.has("client_id")) {
            entry.put("client_id", context.path("client_id").stringValue());
            entry.put("issuer", issuer(server));
            entry.put(
                    context.has("private_key_pem") ? "private_key" : "client_secret",
                    "${secret:client}");
        }
        return entry;
    }

    /// The value of the one secret of the vault.
    String secret(String name) {
        return context.path(context.has("private_key_pem") ? "private_key_pem" : "client_secret")
                .stringValue(name);
    }

    /// As whoever registered the client knows it.
    private static String issuer(URI server) throws IOException, InterruptedException {
        var place = server.resolve("/.well-known/oauth-protected-resource" + server.getPath());
        try (var http = HttpClient.newHttpClient()) {
            var said =
                    http.send(HttpRequest.newBuilder(place).build(), BodyHandlers.ofString())
                            .body();
            return Json.parse(said).at("/authorization_servers/0").stringValue();
        }
    }

    /// A person visits the page and is sent back.
    void agree(UpstreamSettings settings, CredentialValues credentials)
            throws OAuthFailure, IOException, InterruptedException {
        var target = OAuthEntries.target(settings, credentials::client).orElseThrow();
        var begun = clients.begin(target, OAuthClients.SHARED, Caller.LOCAL);
        try (var http = HttpClient.newHttpClient()) {
            var sent =
                    http.send(
                            HttpRequest.newBuilder(begun.visit()).build(),
                            BodyHandlers.discarding());
            var back = URI.create(sent.headers().firstValue("Location").orElseThrow());
            var said = query(back);
            var agreed =
                    clients.returned(
                            new Returned(
                                    Optional.ofNullable(said.get("state")),
                                    Optional.ofNullable(said.get("code")),
                                    Optional.ofNullable(said.get("iss")),
                                    Optional.ofNullable(said.get("error")),
                                    Optional.of(begun.cookie())));
            clients.finish(agreed);
        }
    }

    private static Map<String, String> query(URI address) {
        return Arrays.stream(address.getRawQuery().split("&", -1))
                .map(pair -> pair.split("=", 2))
                .collect(
                        Collectors.toMap(
                                pair -> pair[0],
                                pair -> URLDecoder.decode(pair[1], StandardCharsets.UTF_8)));
    }
}

package dev.caisson;

import dev.caisson.egress.OutgoingHttp;
import dev.caisson.http.HttpSettings;
import dev.caisson.http.TokenResource;
import dev.caisson.identity.Gate;
import dev.caisson.identity.JwtGate;
import dev.caisson.identity.KeyGate;
import dev.caisson.identity.TokenCaller;
import dev.caisson.oauth.IssuerJwks;
import dev.caisson.oauth.OAuthAddresses;
import dev.caisson.oauth.OAuthHttp;
import java.net.URI;
import java.time.Clock;
import java.util.Optional;

/// Wiring of access tokens that are taken beside keys.
record TokenWiring(Config config, Clock clock, StopPlan stop) {
    private static final String PROTECTED = "/mcp";

    /// This server as clients read of it; empty when it takes no tokens.
    static Optional<TokenResource> resource(Config config) {
        return config.auth()
                .tokens()
                .issuer()
                .map(issuer ->
                        new TokenResource(
                                base(config.http()),
                                PROTECTED,
                                issuer,
                                TokenCaller.usualScopes(),
                                TokenCaller.scopes()));
    }

    private static String base(HttpSettings http) {
        return StartBanner.base(http, http.publicBaseUrl().orElseGet(() -> URI.create("/")));
    }

    /// The gate of keys, or one of both.
    Gate beside(KeyGate keys) {
        return resource(config).<Gate>map(resource -> tokens(keys, resource)).orElse(keys);
    }

    private JwtGate tokens(KeyGate keys, TokenResource resource) {
        var privateHosts = config.upstreams().privateHosts();
        var http = new OutgoingHttp(privateHosts);
        stop.addQuick(StopStep.WATCHES, http::close);
        var keysOfIssuer =
                new IssuerJwks(
                        new OAuthHttp(http), new OAuthAddresses(privateHosts), resource.issuer());
        return new JwtGate(
                keys,
                resource.issuer(),
                config.auth().tokens().audience().orElse(resource.resource()),
                keysOfIssuer,
                clock);
    }
}

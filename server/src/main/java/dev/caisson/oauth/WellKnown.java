package dev.caisson.oauth;

import java.net.URI;
import java.util.List;

/// Addresses at which metadata is looked for, in the order of the specification.
final class WellKnown {
    private static final String PREFIX = "/.well-known/";
    private static final String SERVER = PREFIX + "oauth-authorization-server";
    private static final String OPENID = PREFIX + "openid-configuration";
    private static final String RESOURCE = PREFIX + "oauth-protected-resource";

    private WellKnown() {}

    /// Metadata of an authorization server: RFC 8414, then OpenID Connect in both its forms.
    static List<String> server(URI issuer) {
        var origin = OAuthAddresses.origin(issuer);
        var path = path(issuer);
        return path.isEmpty()
                ? List.of(origin + SERVER, origin + OPENID)
                : List.of(origin + SERVER + path, origin + OPENID + path, origin + path + OPENID);
    }

    /// Metadata of a protected resource (RFC 9728): at its path, then at the root.
    static List<String> resource(URI resource) {
        var origin = OAuthAddresses.origin(resource);
        var path = path(resource);
        return path.isEmpty()
                ? List.of(origin + RESOURCE)
                : List.of(origin + RESOURCE + path, origin + RESOURCE);
    }

    private static String path(URI address) {
        var path = address.getRawPath() == null ? "" : address.getRawPath();
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }
}

package dev.caisson.http;

import dev.caisson.json.Json;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/// This server as a protected resource (RFC 9728): which authorization server gives tokens for it,
/// and the document in which clients read that.
///
/// @param base the address clients reach this server at, without a slash at its end
/// @param path what is protected, such as `/mcp`
/// @param issuer of the tokens
/// @param usualScopes what clients are told to ask for
/// @param scopes all there are
public record TokenResource(
        String base, String path, String issuer, List<String> usualScopes, List<String> scopes) {
    private static final String WELL_KNOWN = "/.well-known/oauth-protected-resource";
    private static final List<String> READING = List.of("GET", "HEAD");
    private static final Map<String, String> HEADERS =
            Map.of(
                    "Content-Type", "application/json",
                    "Cache-Control", "no-cache",
                    "X-Content-Type-Options", "nosniff");

    public TokenResource {
        usualScopes = List.copyOf(usualScopes);
        scopes = List.copyOf(scopes);
    }

    /// What tokens are for.
    public String resource() {
        return base + path;
    }

    /// Where the document is.
    String metadata() {
        return base + WELL_KNOWN + path;
    }

    /// Scopes as tokens have them.
    ///
    /// @param words as keys have them
    List<String> named(List<String> words) {
        return scopes.stream()
                .filter(scope -> words.contains(scope.substring(scope.indexOf(':') + 1)))
                .toList();
    }

    /// Adds the document at the address of the resource, and where clients look that know this
    /// server alone.
    public Routes.Builder addTo(Routes.Builder routes) {
        return routes.exact(WELL_KNOWN, this::answer).exact(WELL_KNOWN + path, this::answer);
    }

    private void answer(Exchange exchange) {
        exchange.admittedByAddress();
        if (READING.contains(exchange.method())) {
            exchange.reply(200, HEADERS, Json.bytes(document()));
        } else {
            exchange.reply(405, Map.of("Allow", String.join(", ", READING)), new byte[0]);
        }
    }

    ObjectNode document() {
        var document = Json.object().put("resource", resource());
        document.putArray("authorization_servers").add(issuer);
        scopes.forEach(document.putArray("scopes_supported")::add);
        document.putArray("bearer_methods_supported").add("header");
        return document.put("resource_name", "Caisson");
    }
}

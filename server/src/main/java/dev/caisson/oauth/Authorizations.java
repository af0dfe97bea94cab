package dev.caisson.oauth;

import dev.caisson.call.Caller;
import dev.caisson.call.Digests;
import dev.caisson.json.Json;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// Ways of people through authorization servers: each begins with an address to visit and ends when
/// its person is sent back. What was begun is sealed in the database under the hash of its state,
/// is there once and for ten minutes, and belongs to the browser that has its cookie.
public final class Authorizations {
    private static final int RANDOM_BYTES = 32;
    private static final int TEXT_MAX = 8 << 10;
    private static final String OFFLINE = "offline_access";
    private static final Pattern ERROR = Pattern.compile("[a-z_]{1,64}");

    private final OAuthParts parts;
    private final SecureRandom random = new SecureRandom();

    Authorizations(OAuthParts parts) {
        this.parts = parts;
    }

    /// A way that was begun.
    ///
    /// @param visit where the person goes
    /// @param cookie that the person's browser must have when it comes back
    public record Begun(URI visit, String cookie) {
        /// Without the cookie.
        @Override
        public String toString() {
            return "Begun[]";
        }
    }

    /// What a person comes back with.
    ///
    /// @param cookie of the browser
    public record Returned(
            Optional<String> state,
            Optional<String> code,
            Optional<String> issuer,
            Optional<String> error,
            Optional<String> cookie) {
        /// Without what is secret.
        @Override
        public String toString() {
            return "Returned[]";
        }
    }

    /// A person who came back to where it was asked from, and whom the right server sent.
    ///
    /// @param by the caller who began it
    public record Agreed(Caller by, String upstream, JsonNode begun, String code) {
        /// Without what is secret.
        @Override
        public String toString() {
            return "Agreed[" + upstream + "]";
        }
    }

    Begun begin(OAuthSession session, String owner, Caller by)
            throws OAuthFailure, InterruptedException {
        var target = session.target();
        if (target.grant() != OAuthTarget.Grant.CODE) {
            throw new OAuthFailure(
                    "The upstream " + target.upstream() + " needs nobody to connect it.");
        }
        var place = session.prepared();
        var server = parts.server(place.issuer(), target.address());
        if (!server.pkceMethods().contains("S256")) {
            throw new OAuthFailure(
                    "The authorization server does not say that it has PKCE with S256, without"
                            + " which a code could be stolen.");
        }
        var address =
                server.authorization()
                        .orElseThrow(() ->
                                new OAuthFailure(
                                        "The authorization server names no page to visit."));
        requireOwnPage(target, server, address);
        var client = parts.client(target, server);
        var endpoint = parts.endpoint(server, client);
        var state = fresh();
        var cookie = fresh();
        var verifier = fresh();
        var redirect = parts.registration().get().redirect();
        var scopes = scopes(place.scopes(), server);
        var begun =
                Json.object()
                        .put("upstream", target.upstream())
                        .put("owner", owner)
                        .put("by", by.id())
                        .put("by_name", by.name())
                        .put("issuer", server.issuer())
                        .put("names_issuer", server.namesIssuer())
                        .put("resource", place.metadata().resource())
                        .put("token_endpoint", endpoint.address().toString())
                        .put("verifier", verifier)
                        .put("redirect", redirect.toString())
                        .put("scope", ScopeWords.text(scopes))
                        .put("cookie_hash", OAuthStore.hash(cookie));
        begun.set("client", client.json());
        server.clientMethods()
                .ifPresent(methods -> methods.forEach(begun.putArray("methods")::add));
        if (!parts.store().putState(state, owner, begun)) {
            throw new OAuthFailure(
                    "%d authorizations were begun within %d minutes and not ended. Finish one, or wait."
                            .formatted(OAuthStore.STATES_MAX, OAuthStore.STATE_LIFE.toMinutes()));
        }
        var query = new LinkedHashMap<String, String>();
        query.put("response_type", "code");
        query.put("client_id", client.id());
        query.put("redirect_uri", redirect.toString());
        query.put("state", state);
        query.put("code_challenge", challenge(verifier));
        query.put("code_challenge_method", "S256");
        query.put("resource", place.metadata().resource());
        if (!scopes.isEmpty()) {
            query.put("scope", ScopeWords.text(scopes));
        }
        return new Begun(asking(address, query), cookie);
    }

    /// A server that a stranger named, and that does not say who it is when it sends the person
    /// back, could show the page of another one, and take the code that was meant for that.
    private static void requireOwnPage(OAuthTarget target, ServerMetadata server, URI page)
            throws OAuthFailure {
        if (target.issuer().isEmpty()
                && !server.namesIssuer()
                && !origin(page).equals(origin(URI.create(server.issuer())))) {
            throw new OAuthFailure(
                    "The page of the authorization server is at another address than the server, which"
                            + " does not name itself in its answers. An operator who trusts it names"
                            + " it as issuer in the entry.");
        }
    }

    private static String origin(URI address) {
        return address.getScheme() + "://" + address.getRawAuthority();
    }

    /// To be refreshed without the person, where the server offers that.
    private static List<String> scopes(List<String> wanted, ServerMetadata server) {
        return wanted.isEmpty() || !server.scopes().contains(OFFLINE)
                ? wanted
                : ScopeWords.union(wanted, List.of(OFFLINE));
    }

    private static URI asking(URI address, Map<String, String> query) {
        var text =
                query.entrySet().stream()
                        .map(each -> each.getKey() + "=" + TokenEndpoint.encoded(each.getValue()))
                        .collect(Collectors.joining("&"));
        return URI.create(address + (address.getRawQuery() == null ? "?" : "&") + text);
    }

    private String fresh() {
        var bytes = new byte[RANDOM_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static String challenge(String verifier) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(Digests.sha256(verifier.getBytes(StandardCharsets.US_ASCII)));
    }

    /// Who sends the person back is compared before the code is shown to anybody.
    Agreed returned(Returned returned) throws OAuthFailure {
        var begun =
                returned.state()
                        .filter(text -> text.length() <= TEXT_MAX)
                        .flatMap(parts.store()::takeState)
                        .orElseThrow(() ->
                                new OAuthFailure(
                                        "This connection was not begun here, is over, or took more"
                                                + " than 10 minutes. Begin again."));
        requireSameBrowser(begun, returned);
        requireIssuer(begun, returned);
        if (returned.error().isPresent()) {
            var word = returned.error().filter(ERROR.asMatchPredicate()).orElse("an error");
            throw new OAuthFailure("The authorization server answered with " + word + ".");
        }
        var code =
                returned.code()
                        .filter(text -> !text.isEmpty() && text.length() <= TEXT_MAX)
                        .orElseThrow(
                                () -> new OAuthFailure("The authorization server gave no code."));
        return new Agreed(
                new Caller(
                        begun.path("by").stringValue(""),
                        begun.path("by_name").stringValue(""),
                        Set.of(),
                        Set.of()),
                begun.path("upstream").stringValue(""),
                begun,
                code);
    }

    /// @return whose tokens are kept now
    OAuthRows.Key finish(Agreed agreed) throws OAuthFailure, InterruptedException {
        var key =
                new OAuthRows.Key(agreed.upstream(), agreed.begun().path("owner").stringValue(""));
        parts.store().putTokens(key, exchanged(agreed.begun(), agreed.code()));
        return key;
    }

    private static void requireSameBrowser(JsonNode begun, Returned returned) throws OAuthFailure {
        var expected = begun.path("cookie_hash").stringValue("").getBytes(StandardCharsets.UTF_8);
        var same =
                returned.cookie()
                        .map(OAuthStore::hash)
                        .map(hash -> hash.getBytes(StandardCharsets.UTF_8))
                        .filter(hash -> MessageDigest.isEqual(hash, expected));
        if (same.isEmpty()) {
            throw new OAuthFailure(
                    "This connection was begun in another browser. Begin again in this one.");
        }
    }

    private static void requireIssuer(JsonNode begun, Returned returned) throws OAuthFailure {
        var expected = begun.path("issuer").stringValue("");
        var needed = begun.path("names_issuer").asBoolean(false);
        if (returned.issuer().isPresent() ? !returned.issuer().get().equals(expected) : needed) {
            throw new OAuthFailure(
                    "The answer does not come from the authorization server that was asked. Nothing"
                            + " of it was used.");
        }
    }

    private TokenSet exchanged(JsonNode begun, String code)
            throws OAuthFailure, InterruptedException {
        var endpoint =
                new TokenEndpoint(
                        parts.http(),
                        parts.clock(),
                        URI.create(begun.path("token_endpoint").stringValue("")),
                        begun.path("issuer").stringValue(""),
                        Optional.of(begun.path("methods"))
                                .filter(JsonNode::isArray)
                                .map(ServerMetadata::words),
                        OAuthClient.kept(begun.path("client")));
        var asked =
                TokenSet.asking(
                        endpoint.issuer(),
                        begun.path("resource").stringValue(""),
                        ScopeWords.read(begun.path("scope").stringValue("")));
        try {
            return endpoint.ask(
                    asked,
                    Map.of(
                            "grant_type",
                            "authorization_code",
                            "code",
                            code,
                            "redirect_uri",
                            begun.path("redirect").stringValue(""),
                            "code_verifier",
                            begun.path("verifier").stringValue("")));
        } catch (TokenEndpoint.Refused refused) {
            throw new OAuthFailure(
                    "The authorization server does not take the code any more. Begin again.");
        }
    }
}

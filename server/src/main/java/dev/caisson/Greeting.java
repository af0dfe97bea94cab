package dev.caisson;

import dev.caisson.config.Config;
import dev.caisson.config.Version;
import dev.caisson.identity.NewKey;
import dev.caisson.json.Json;
import java.net.URI;
import java.util.Optional;

/// What `serve` says when it is ready: where it is, its first key, and what to paste into a client.
final class Greeting {
    private static final String NO_KEY_YET = "YOUR_KEY";

    private Greeting() {}

    /// Where MCP clients reach the server: as the operator says, else where it listens.
    static String url(Config.Http http, URI address) {
        return base(http, address) + "/mcp";
    }

    /// The same without what is served there, and without a slash at its end.
    static String base(Config.Http http, URI address) {
        var base = http.publicBaseUrl().orElse(address).toString();
        return base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
    }

    /// What programs can be written in, and how well they are kept in.
    static String programs(Workshop workshop) {
        var isolation = workshop.isolation();
        return isolation
                .advice()
                .orElseGet(() ->
                        "Programs run in %s. %s"
                                .formatted(
                                        workshop.languages(),
                                        isolation.missing().isEmpty()
                                                ? "Every layer of isolation holds."
                                                : "Isolation is reduced, as you accepted;"
                                                        + " see caisson doctor."));
    }

    /// @param url where clients reach the server
    /// @param firstKey present only when it was just made
    /// @param auth whether callers need a key
    /// @param console whether there is one
    static String of(String url, Optional<NewKey> firstKey, boolean auth, boolean console) {
        var key = firstKey.map(NewKey::secret).orElse(NO_KEY_YET);
        return """
        Caisson %s serves MCP at %s
        %s

        %s
        Claude Code:
          claude mcp add --transport http caisson %s%s

        Other clients:
        %s
        """
                .formatted(
                        Version.TEXT,
                        url,
                        console
                                ? "In the browser: "
                                        + url.substring(0, url.length() - "mcp".length())
                                : "There is no console: Node 20.19 or later with npm was missing when"
                                        + " it was built. To have it: npm install -g node@22",
                        keyLine(firstKey, auth),
                        url,
                        auth ? " --header \"Authorization: Bearer " + key + "\"" : "",
                        json(url, auth ? Optional.of(key) : Optional.empty()))
                .stripTrailing();
    }

    /// What to say of a token that can be guessed; only on a loopback address does it come so far.
    static Optional<String> shortToken(Config.Auth auth) {
        return auth.isTokenShort()
                ? Optional.of(
                        """
                        WARNING: auth.api_token (MCP_API_TOKEN) has fewer than %d characters and may do \
                        everything.
                        Whoever can reach this machine's loopback address can try to guess it. Make a \
                        longer one: openssl rand -hex 32\
                        """
                                .formatted(Config.Auth.TOKEN_LENGTH_MIN))
                : Optional.empty();
    }

    private static String keyLine(Optional<NewKey> firstKey, boolean auth) {
        if (!auth) {
            return "No key is needed: whoever can reach this address may do everything.\n";
        }
        return firstKey.map(key -> "The first key, shown this once: " + key.secret() + "\n")
                .orElse("For another key: ./caisson key create NAME\n");
    }

    private static String json(String url, Optional<String> key) {
        var root = Json.object();
        var server = root.putObject("mcpServers").putObject("caisson");
        server.put("type", "http").put("url", url);
        key.ifPresent(
                secret -> server.putObject("headers").put("Authorization", "Bearer " + secret));
        return Json.pretty(root).indent(2).stripTrailing();
    }
}
